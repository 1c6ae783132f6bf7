# SPDX-License-Identifier: Apache-2.0
# docker build -t railwright . && docker run --rm -v "$PWD:/work" railwright simulate mine.yaml
FROM debian:12 AS build
COPY . /src
WORKDIR /src
RUN apt-get update && bash -c 'source scripts/lib.sh && install_missing "${BUILD_PACKAGES[@]}" python3'
RUN cmake --preset release -DRAILWRIGHT_BUILD_TESTS=OFF \
 && cmake --build --preset release \
 && cmake --install build/release --prefix /opt/railwright --strip

FROM debian:12-slim
RUN apt-get update && apt-get install -y --no-install-recommends \
      libfmt9 libyaml-cpp0.7 libsqlite3-0 libpugixml1v5 libcpp-httplib0.11 \
 && rm -rf /var/lib/apt/lists/*
COPY --from=build /opt/railwright /usr/local
WORKDIR /work
ENTRYPOINT ["railwright"]
