# SPDX-License-Identifier: MIT
"""Chooses the next machines of a study for `walkway search`, with Optuna. It has no part of the model.

Each question is a line of JSON on stdin, its answer a line on stdout:

    {"axes": [{"values": 4, "ordered": true}, ...], "machines": [0, 1, ...], "directions": ["minimize", ...], "seed": 1}    -> {"version": "3.1.0"}
    {"ask": 8}                                -> {"machines": [17, 3, ...]}      at most 8, none of them answered before
    {"known": [[5, [6.0, 1.5]], ...]}         -> {"known": 1}                    results of machines that were not chosen
    {"tell": [[17, [4.0, 2.5]], [3, null]]}   -> {"front": [17, ...]}            null: it failed

A machine's number is the mixed-radix number of its values, the last axis fastest; `machines` are those that constraints allow (null:
all). Equal sequences of questions have equal answers, so a restarted search needs only the results.
"""
import json
import random
import sys
import warnings

START = 8    # random trials, before Optuna uses its model
PATIENCE = 3 # already known trials in a row, before a neighbour of the front is taken


class Searcher:
    """The trials of a study. `axes`: (number of values, true if they are ordered numbers)."""

    def __init__(self, optuna, axes, machines, directions, seed):
        self.optuna, self.axes, self.signs = optuna, axes, [1 if d == "minimize" else -1 for d in directions]
        self.random = random.Random(seed)
        self.size = 1
        for values, _ in axes:
            self.size *= values
        self.machines = None if machines is None else set(machines)
        self.unseen = list(range(self.size)) if machines is None else list(machines)
        first, last = self.unseen[0], self.unseen[-1]
        self.random.shuffle(self.unseen)
        self.seen, self.pending = {}, {} # by machine: costs (None: failed); its trial
        self.first = [first] + [last] * (last != first) # the first and the last value of each axis: often the ends of the front
        self.asked = 0
        of = optuna.distributions
        self.spaces = {str(i): of.IntDistribution(0, values - 1) if ordered else of.CategoricalDistribution(list(range(values)))
                       for i, (values, ordered) in enumerate(axes)}
        sampler = optuna.samplers.TPESampler(seed=seed, multivariate=True, constant_liar=True, n_startup_trials=START)
        self.study = optuna.create_study(directions=directions, sampler=sampler)

    def digits(self, machine):
        at = []
        for values, _ in reversed(self.axes):
            at.append(machine % values)
            machine //= values
        return at[::-1]

    def number(self, at):
        machine = 0
        for (values, _), digit in zip(self.axes, at):
            machine = machine * values + digit
        return machine

    def free(self, machine):
        return machine not in self.seen and machine not in self.pending and (self.machines is None or machine in self.machines)

    def front(self):
        """Returns the machines that no other one dominates, equal ones included."""
        done = sorted((costs, machine) for machine, costs in self.seen.items() if costs is not None)
        best = []
        for costs, machine in done: # sorted: a dominating machine precedes it
            if not any(other != costs and all(a <= b for a, b in zip(other, costs)) for other, _ in best):
                best.append((costs, machine))
        return [machine for _, machine in best]

    def beside(self, machine):
        """Yields the machines one step away on one axis; on an unordered axis, all its values."""
        at = self.digits(machine)
        for i, (values, ordered) in enumerate(self.axes):
            for digit in (at[i] - 1, at[i] + 1) if ordered else range(values):
                if 0 <= digit < values:
                    yield self.number(at[:i] + [digit] + at[i + 1:])

    def widest_first(self, front):
        """Returns the front sorted by the gap between each machine's two neighbours, the widest first."""
        gaps = dict.fromkeys(front, 0.0)
        for i in range(len(self.signs)):
            line = sorted(front, key=lambda machine: self.seen[machine][i])
            costs = [self.seen[machine][i] for machine in line]
            for k, machine in enumerate(line):
                gaps[machine] += (costs[min(k + 1, len(line) - 1)] - costs[max(k - 1, 0)]) / ((costs[-1] - costs[0]) or 1)
        return sorted(front, key=lambda machine: -gaps[machine])

    def neighbour(self):
        """Returns a free machine one step from the front, else two steps, else any; None if there is none."""
        front = self.widest_first(self.front())
        once = [list(self.beside(machine)) for machine in front]
        twice = [[other for machine in ring for other in self.beside(machine)] for ring in once]
        for ring in once + twice:
            found = [machine for machine in ring if self.free(machine)]
            if found:
                return self.random.choice(found)
        while self.unseen and not self.free(self.unseen[-1]):
            self.unseen.pop()
        return self.unseen[-1] if self.unseen else None

    def take(self, machine):
        self.study.enqueue_trial({str(i): digit for i, digit in enumerate(self.digits(machine))})
        self.pending[machine] = self.study.ask(self.spaces)

    def ask_one(self):
        """Returns an unknown machine, which is then pending; None if there is none."""
        while self.first:
            machine = self.first.pop(0)
            if self.free(machine):
                self.take(machine)
                return machine
        self.asked += 1
        # Two of three are beside the front: on a grid, Optuna alone gets near the front, but seldom finds all its points.
        for _ in range(PATIENCE if self.asked <= START or self.asked % 3 == 0 else 0):
            trial = self.study.ask(self.spaces)
            machine = self.number([trial.params[str(i)] for i in range(len(self.axes))])
            if self.free(machine):
                self.pending[machine] = trial
                return machine
            costs = self.seen.get(machine)
            self.finish(trial, costs)
        machine = self.neighbour()
        if machine is not None:
            self.take(machine)
        return machine

    def finish(self, trial, costs):
        if costs is None:
            self.study.tell(trial, state=self.optuna.trial.TrialState.FAIL)
        else:
            self.study.tell(trial, [sign * cost for sign, cost in zip(self.signs, costs)])

    def ask(self, count):
        machines = []
        for _ in range(count):
            machine = self.ask_one()
            if machine is None:
                break
            machines.append(machine)
        return machines

    def tell(self, machine, values):
        costs = None if values is None else [sign * value for sign, value in zip(self.signs, values)]
        self.seen[machine] = costs
        self.finish(self.pending.pop(machine), costs)


    def know(self, machine, values):
        """Adds the result of a machine that was not chosen here; ignores one without values."""
        if values is None or not self.free(machine):
            return
        costs = [sign * value for sign, value in zip(self.signs, values)]
        self.seen[machine] = costs
        self.study.add_trial(self.optuna.trial.create_trial(
            params={str(i): digit for i, digit in enumerate(self.digits(machine))}, distributions=self.spaces,
            values=[sign * cost for sign, cost in zip(self.signs, costs)]))


def converse(questions, say):
    try:
        import optuna
    except ImportError as error:
        say({"error": f"Optuna is not there ({error}): install python3-optuna"})
        return
    warnings.simplefilter("ignore") # Optuna warns that `multivariate` is experimental
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    head = json.loads(next(questions))
    searcher = Searcher(optuna, [(axis["values"], axis["ordered"]) for axis in head["axes"]], head["machines"], head["directions"],
                        head["seed"])
    say({"version": optuna.__version__})
    for line in questions:
        question = json.loads(line)
        if "ask" in question:
            say({"machines": searcher.ask(question["ask"])})
        elif "known" in question:
            for machine, values in question["known"]:
                searcher.know(machine, values)
            say({"known": len(question["known"]), "front": searcher.front()})
        else:
            for machine, values in question["tell"]:
                searcher.tell(machine, values)
            say({"front": searcher.front()})


if __name__ == "__main__":
    converse(iter(sys.stdin.readline, ""), lambda answer: print(json.dumps(answer), flush=True))
