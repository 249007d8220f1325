# SPDX-License-Identifier: MIT
# The two commands of the README on a fresh Debian 12:
#   docker build -t walkway . && docker run --rm walkway            the program, on a captured one
#   docker run --rm walkway ./check
FROM debian:12
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates git sudo
COPY . /walkway
WORKDIR /walkway
RUN scripts/setup && ./demo
CMD ["./demo"]
