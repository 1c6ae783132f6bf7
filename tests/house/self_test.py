# SPDX-License-Identifier: Apache-2.0
"""The house checks must notice what they are there for."""

import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import circles
import comments
import header_weight
import include_direction
import named_paths
import one_definition
import releases
import source_files

LICENCE = "// SPDX-License-Identifier: Apache-2.0\n"


def header(folder, family):
    return f"{folder}/include/railwright/{folder}/{family}/x.hpp"


class House(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = Path(scratch.name).resolve()

    def put(self, path, text=""):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(LICENCE + text, encoding="utf-8")

    def includes(self, source, *names):
        self.put(source, "".join(f'#include "{name}"\n' for name in names))
        return include_direction.check(self.root)

    def family(self, source, target):
        """Complaints when `source` includes the header of family `target`."""
        folder, family = target.split("/")
        self.put(header(folder, family))
        return self.includes(source, f"railwright/{folder}/{family}/x.hpp")


class Folders(House):
    def test_down_is_right(self):
        for source, target in [
            ("topologies/src/wirings/x.cpp", "core/fabric"),
            ("models/src/memory/x.cpp", "core/units"),
            ("simulation/src/step/x.cpp", "topologies/wirings"),
            ("cli/simulate.cpp", "workloads/training"),
            ("python/bindings/x.cpp", "planner/search"),
            ("tests/models/x.cpp", "topologies/wirings"),
        ]:
            self.assertEqual(self.family(source, target), [], source)

    def test_up_and_sideways_are_wrong(self):
        for source, target in [
            ("core/src/sim/x.cpp", "models/memory"),
            ("core/include/railwright/core/sim/y.hpp", "simulation/step"),
            ("topologies/src/wirings/x.cpp", "models/power"),
            ("models/src/money/x.cpp", "topologies/wirings"),
            ("models/src/power/x.cpp", "simulation/step"),
            ("simulation/src/step/x.cpp", "workloads/jobs"),
            ("workloads/src/jobs/x.cpp", "planner/search"),
            ("planner/src/search/x.cpp", "output/json"),
            ("output/src/json/x.cpp", "importers/nemo"),
            ("cli/simulate.cpp", "models/memory"),
            ("python/bindings/x.cpp", "models/memory"),
        ]:
            with self.subTest(source):
                (complaint,) = self.family(source, target)
                self.assertIn(f"{source}:2: ", complaint)
                self.assertIn("must not include", complaint)
                (self.root / source).unlink()


class Floors(House):
    def test_earlier_floor_is_right(self):
        for source, target in [
            ("models/src/parallelism/x.cpp", "models/workload"),
            ("models/src/memory/x.cpp", "models/parallelism"),
            ("models/src/checkpoint/x.cpp", "models/storage"),
            ("models/src/builtin.cpp", "models/money"),
            ("simulation/src/step/x.cpp", "simulation/scenario"),
            ("simulation/src/closed_form/x.cpp", "simulation/step"),
            ("planner/src/size/x.cpp", "planner/search"),
            ("output/src/text/x.cpp", "output/json"),
        ]:
            self.assertEqual(self.family(source, target), [], source)

    def test_later_or_same_floor_is_wrong(self):
        for source, target in [
            ("models/src/workload/x.cpp", "models/parallelism"),
            ("models/src/memory/x.cpp", "models/compute"),
            ("models/src/storage/x.cpp", "models/checkpoint"),
            ("models/src/money/x.cpp", "models/builtin"),
            ("simulation/src/scenario/x.cpp", "simulation/step"),
            ("simulation/src/step/x.cpp", "simulation/run"),
            ("simulation/src/closed_form/x.cpp", "simulation/estimator"),
            ("workloads/src/training/x.cpp", "workloads/jobs"),
            ("planner/src/search/x.cpp", "planner/size"),
        ]:
            with self.subTest(source):
                (complaint,) = self.family(source, target)
                self.assertIn("must not include", complaint)
                (self.root / source).unlink()

    def test_a_relative_include_is_no_way_round(self):
        self.put("models/src/money/private.hpp")
        (complaint,) = self.includes("models/src/memory/x.cpp", "../money/private.hpp")
        self.assertIn("models/memory must not include models/money", complaint)

    def test_a_new_family_needs_a_floor(self):
        (complaint,) = self.family("models/src/builtin.cpp", "models/weather")
        self.assertIn("has no floor", complaint)


class Libraries(House):
    def test_at_home(self):
        for source, name in [
            ("core/src/fabric/x.cpp", "boost/graph/adjacency_list.hpp"),
            ("core/src/config/x.cpp", "yaml-cpp/parser.h"),
            ("cli/main.cpp", "CLI/CLI.hpp"),
            ("python/bindings/x.cpp", "pybind11/pybind11.h"),
            ("output/src/json/x.cpp", "nlohmann/json.hpp"),
        ]:
            self.put(source, f"#include <{name}>\n")
        self.assertEqual(include_direction.check(self.root), [])

    def test_elsewhere(self):
        wrong = [
            ("core/src/sim/x.cpp", "boost/graph/adjacency_list.hpp"),
            ("simulation/src/scenario/x.cpp", "yaml-cpp/yaml.h"),
            ("cli/simulate.cpp", "CLI/CLI.hpp"),
            ("simulation/src/step/x.cpp", "pybind11/pybind11.h"),
            ("simulation/src/step/y.cpp", "sqlite3.h"),
            (header("output", "json"), "nlohmann/json.hpp"),
            ("tests/cli/x.hpp", "nlohmann/json.hpp"),
        ]
        for source, name in wrong:
            self.put(source, f"#include <{name}>\n")
        self.assertEqual(len(include_direction.check(self.root)), len(wrong))


class Circles(House):
    def test_of_units(self):
        self.put(header("models", "memory"), '#include "railwright/models/memory/y.hpp"\n')
        self.put("models/src/memory/y.cpp", '#include "railwright/models/memory/x.hpp"\n')
        self.put(header("models", "memory").replace("x.hpp", "y.hpp"))
        (complaint,) = circles.check(self.root)
        self.assertEqual(complaint, "units in a circle: models/memory/x, models/memory/y")

    def test_of_families(self):
        for family, other in [("memory", "power"), ("power", "memory")]:
            self.put(header("models", family))
            self.put(f"models/src/{family}/y.cpp", f'#include "railwright/models/{other}/x.hpp"\n')
        (complaint,) = circles.check(self.root)
        self.assertEqual(complaint, "families in a circle: models/memory, models/power")

    def test_a_source_may_use_details_of_its_family(self):
        self.put(header("models", "memory"))
        self.put("models/src/memory/detail.hpp", '#include "railwright/models/memory/x.hpp"\n')
        self.put("models/src/memory/x.cpp", '#include "detail.hpp"\n')
        self.assertEqual(circles.check(self.root), [])


class OneDefinition(House):
    def both(self, first, second):
        self.put("core/src/a.hpp", first)
        self.put("core/src/b.cpp", second)
        return one_definition.check(self.root)

    def test_two_types_of_one_name(self):
        text = "namespace railwright::core {\nstruct Part {\n};\n}  // namespace railwright::core\n"
        (complaint,) = self.both(text, text.replace("struct Part", "class Part final : Whole"))
        self.assertEqual(
            complaint, "core/src/b.cpp:3: railwright::core::Part is defined in core/src/a.hpp:3 too")

    def test_elsewhere_or_unnamed(self):
        text = "namespace railwright::core {\nstruct Part {\n};\n}  // namespace railwright::core\n"
        unnamed = text.replace("struct", "namespace {\nstruct").replace("};", "};\n}  // namespace")
        for other in [text.replace("::core", "::models"), unnamed, text.replace("Part {", "Part;")]:
            self.assertEqual(self.both(text, other), [], other)


class Comments(House):
    def test_subject_first(self):
        self.put("core/src/a.cpp", "/// Returns the time,\n/// that of all links.\nint a;  // of b\n")
        self.put("models/src/b.hpp", "// NCCL's model. What others do is beside.\n")
        self.assertEqual(comments.check(self.root), [])

    def test_puzzles(self):
        self.put("core/src/a.cpp", "int a;\n  /// What takes long.\nint b;\n// Of a pass.\n")
        (self.root / "cli").mkdir()
        (self.root / "cli/x.py").write_text('def f():\n    """Where it ends."""\n')
        first, second, third = comments.check(self.root)
        self.assertIn("a.cpp:3: a comment opens with 'What takes", first)
        self.assertIn("a.cpp:5", second)
        self.assertIn("x.py:2", third)


class NamedPaths(House):
    def complaints(self, text, size="32"):
        self.put("core/src/a.cpp")
        for name in named_paths.DOCUMENTS:
            self.put(name)
        (self.root / "CONTRIBUTING.md").write_text(
            f"| `release` | builds, up to 32 sources at a time |\n{text}\n")
        (self.root / "CMakePresets.json").write_text(
            '{"configurePresets": [{"cacheVariables": {"CMAKE_UNITY_BUILD_BATCH_SIZE": "32"}}]}')
        (self.root / "pyproject.toml").write_text(f'CMAKE_UNITY_BUILD_BATCH_SIZE = "{size}"\n')
        return named_paths.check(self.root)

    def test_there(self):
        self.assertEqual(self.complaints("`core/src/a.cpp`, core/src/*.cpp, `core/`, build/x, a/b"), [])

    def test_not_there(self):
        (complaint,) = self.complaints("see `core/src/b.cpp`.")
        self.assertEqual(complaint, "CONTRIBUTING.md:2: no such path: core/src/b.cpp")

    def test_sources_of_a_compilation(self):
        (complaint,) = self.complaints("", size="12")
        self.assertIn("the builds ['12', '32']", complaint)


class Releases(House):
    def complaints(self, version, *headings, lines=1):
        (self.root / "CMakeLists.txt").write_text(f"project(railwright VERSION {version} LANGUAGES)\n")
        (self.root / "pyproject.toml").write_text(
            '[project]\ndynamic = ["version"]\n[tool.scikit-build.metadata.version]\n'
            """input = "CMakeLists.txt"\nregex = 'VERSION (?P<value>[0-9.]+)'\n""")
        text = "".join(f"## {heading}\n" + "- x\n" * lines for heading in headings)
        (self.root / "CHANGELOG.md").write_text("# Changelog\n\n" + text)
        return "\n".join(releases.check(self.root))

    def test_in_order(self):
        both = ["0.10.0 (2026-12-01)", "0.9.0 (2026-11-29, commit 1)"]
        self.assertEqual(self.complaints("0.10.0", *both, lines=59), "")
        self.assertEqual(self.complaints("0.10.0", "Unreleased", *both), "")

    def test_versions_that_differ(self):
        self.assertIn("newest version is not 0.9.1", self.complaints("0.9.1", "0.9.0 (2026-11-29)"))
        self.assertIn("no version of three", self.complaints("0.9", "0.9.0 (2026-11-29)"))
        (self.root / "pyproject.toml").write_text((self.root / "pyproject.toml").read_text().replace(
            '["version"]', "[]"))
        self.assertIsNone(releases.package_version(self.root))

    def test_consumers(self):
        self.put("docs/stability.md", "find_package(railwright 0.9)\n")
        self.assertEqual(self.complaints("0.9.1", "0.9.1 (2026-11-29)"), "")
        self.assertIn("asks for railwright 0.9", self.complaints("0.10.0", "0.10.0 (2026-11-29)"))

    def test_headings(self):
        self.assertIn("no version with a date", self.complaints("0.9.0", "0.9.0"))
        falling = ["0.9.0 (2026-11-29)", "0.10.0 (2026-11-28)"]
        self.assertIn("do not fall", self.complaints("0.9.0", *falling))
        self.assertIn("61 lines", self.complaints("0.9.0", "0.9.0 (2026-11-29)", lines=60))


class HeaderWeight(House):
    """A source of one line that pulls two headers, of 3 and 2 lines."""

    def setUp(self):
        super().setUp()
        self.put(header("core", "sim"), '#include "railwright/core/units/x.hpp"\n\n')
        self.put(header("core", "units"), "\n")
        self.put("core/src/a.cpp", '#include "railwright/core/sim/x.hpp"\n')
        self.put("core/src/b.cpp")

    def test_lines_pulled(self):
        weights, reach, _ = header_weight.weigh(self.root)
        self.assertEqual(sorted(weights), [0, 5])
        self.assertEqual(reach[header("core", "units")], 0.5)

    def test_limits(self):
        self.assertEqual(header_weight.check(self.root, 3, {}), [])
        (complaint,) = header_weight.check(self.root, 2, {header("core", "units"): 0.5})
        self.assertIn("more than 2", complaint)
        (complaint,) = header_weight.check(self.root, 3, {header("core", "units"): 0.4})
        self.assertIn("reaches 50%", complaint)
        (complaint,) = header_weight.check(self.root, 3, {"core/gone.hpp": 0.4})
        self.assertIn("no such header", complaint)

    def test_keys_reach_few(self):
        self.put("core/include/railwright/core/sim/x_fields.hpp")
        self.includes("core/src/b.cpp", "railwright/core/sim/x_fields.hpp")
        (complaint,) = header_weight.check(self.root, 3, {})
        self.assertIn("x_fields.hpp reaches", complaint)


class SourceFiles(House):
    def test_in_order(self):
        self.put("core/src/a.cpp", '#include "railwright/core/units/x.hpp"\n')
        self.put(header("core", "units"))
        (self.root / "core/CMakeLists.txt").write_text(
            "# SPDX-License-Identifier: Apache-2.0\nadd_library(core STATIC src/a.cpp)\n"
        )
        self.assertEqual(source_files.check(self.root), [])

    def test_orphans(self):
        self.put("core/src/a.cpp")
        self.put(header("core", "units"))
        (self.root / "core/CMakeLists.txt").write_text(
            "# SPDX-License-Identifier: Apache-2.0\nadd_library(core STATIC # src/a.cpp\n)\n"
        )
        first, second = source_files.check(self.root)
        self.assertIn("x.hpp: named by no", first)
        self.assertIn("a.cpp: named by no", second)

    def test_no_licence(self):
        (self.root / "x.py").write_text("print()\n")
        (complaint,) = source_files.check(self.root)
        self.assertIn("lack", complaint)

    def test_pointing_outside(self):
        (self.root / "x.yaml").write_text("path: ../" + "shared/x\n")
        (complaint,) = source_files.check(self.root)
        self.assertIn("mentions", complaint)


if __name__ == "__main__":
    unittest.main()
