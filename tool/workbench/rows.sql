-- The points of studies as rows (results_rows.cpp), each with its run, if any. If a workload's name has several traces, windows or
-- samples, a suffix has the first digits of the trace's checksum, and the text after the checksum in the run's key:
-- "mvt (5f3a9c01-sampled-60-10000-0-1)". If a name has several machines, the suffix has the first digits of the machine's digest.
WITH runs_of_points AS (
    SELECT r.id, w.name AS workload, substr(w.checksum, 1, 8) || substr(r.key, 18 + length(w.checksum)) AS work,
        m.label AS machine, substr(m.digest, 1, 8) AS digest, b.model
    FROM runs r
        JOIN workloads w ON w.id = r.workload
        JOIN machines m ON m.id = r.machine
        JOIN builds b ON b.id = r.build
    WHERE r.key IN (SELECT key FROM points)),
several_works AS (SELECT workload FROM runs_of_points GROUP BY workload HAVING count(DISTINCT work) > 1),
several_machines AS (SELECT machine FROM runs_of_points GROUP BY machine HAVING count(DISTINCT digest) > 1),
named AS (SELECT p.study_id, p.point, p.repetition, coalesce(p.run, 0) AS run, p.study,
    coalesce(p.workload || iif(p.workload IN several_works, ' (' || o.work || ')', ''), ''),
    coalesce(p.machine || iif(p.machine IN several_machines, ' (' || o.digest || ')', ''), ''),
    p.status, p.reason, coalesce(o.model, '')
FROM results p LEFT JOIN runs_of_points o ON o.id = p.run
)
