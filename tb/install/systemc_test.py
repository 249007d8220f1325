#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""An installed package finds the SystemC that it was built with, wherever that is, and does not use another one instead."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ENVIRONMENT = {k: v for k, v in os.environ.items() if k not in ("SYSTEMC_HOME", "CMAKE_PREFIX_PATH", "LD_LIBRARY_PATH")}


def command(*words, ok=True, env=None):
    done = subprocess.run([str(w) for w in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
                          env={**ENVIRONMENT, **(env or {})})
    if (done.returncode == 0) != ok:
        raise AssertionError(f"{words}: exit code {done.returncode}\n{done.stdout}")
    return done.stdout


def configure(source, build, *options, **more):
    return command("cmake", "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Debug", "-S", HERE / source, "-B", build, *options, **more)


def install(source, build, prefix, *options, **more):
    said = configure(source, build, f"-DCMAKE_INSTALL_PREFIX={prefix}", *options, **more)
    command("cmake", "--build", build, "--target", "install")
    return said


class SystemcTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.all = pathlib.Path(folder.name).resolve()
        for version in ("3.0.2", "3.0.1"):
            install("systemc", cls.all / ("build-" + version), cls.all / version, f"-DVERSION={version}")
        cls.walkway = cls.all / "walkway"
        said = install("small", cls.all / "build-walkway", cls.walkway, f"-DCMAKE_PREFIX_PATH={cls.all / '3.0.2'}")
        assert f"SystemC 3.0.2 in {cls.all}/3.0.2/lib/cmake/SystemCLanguage" in said, said

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.dir = pathlib.Path(folder.name).resolve()

    def use(self, *options, wanted="model", prefix=None, **more):
        """The output of configuring a project that uses only Walkway."""
        prefixes = ";".join(map(str, (prefix or self.walkway, *more.pop("beside", ()))))
        return " ".join(configure("small_user", self.dir / "user", f"-DCMAKE_PREFIX_PATH={prefixes}", f"-DWANTED={wanted}", *options,
                                  **more).split())

    def built(self):
        command("cmake", "--build", self.dir / "user")
        return command(self.dir / "user" / "user").strip()

    def away(self, name):
        """Moves a SystemC away for this test."""
        here, there = self.all / name, self.dir / name
        shutil.move(here, there)
        self.addCleanup(shutil.move, there, here)
        return there

    def test_the_package_finds_the_systemc_it_was_built_with_and_its_own_platforms(self):
        said = self.use("-DCMAKE_DISABLE_FIND_PACKAGE_Boost=ON", "-DCMAKE_DISABLE_FIND_PACKAGE_nlohmann_json=ON")
        self.assertEqual(self.built(), "user with 3.0.2")
        self.assertIn(f"platforms: {self.walkway}/share/walkway/platforms ", said + " ")
        self.assertTrue((self.walkway / "share/walkway/platforms/apu-micro18.cfg").exists())

    def test_it_does_so_although_another_one_is_nearer(self):
        self.use(beside=[self.all / "3.0.1"], env={"SYSTEMC_HOME": str(self.all / "3.0.1")})
        self.assertEqual(self.built(), "user with 3.0.2")

    def test_the_installed_program_runs_with_a_systemc_that_the_system_does_not_know(self):
        self.assertEqual(command(self.walkway / "bin" / "walkway").strip(), "program with 3.0.2")

    def test_another_version_is_refused_with_both_names(self):
        said = self.use("-DHAS_SYSTEMC=ON", beside=[self.all / "3.0.1"], ok=False)
        self.assertIn(f"it was built with SystemC 3.0.2 ({self.all}/3.0.2/lib/cmake/SystemCLanguage), but here is 3.0.1 (a target that "
                      "the project had before)", said)
        shutil.rmtree(self.dir / "user")
        self.use("-DHAS_SYSTEMC=ON", beside=[self.all / "3.0.2"])
        self.assertEqual(self.built(), "user with 3.0.2")

    def test_where_its_own_is_gone_only_the_same_version_takes_its_place(self):
        moved = self.away("3.0.2")
        said = self.use(beside=[self.all / "3.0.1"], ok=False)
        self.assertIn(f"but here is 3.0.1 ({self.all}/3.0.1/lib/cmake/SystemCLanguage)", said)
        shutil.rmtree(self.dir / "user")
        self.use(beside=[moved])
        self.assertEqual(self.built(), "user with 3.0.2")

    def test_kernels_need_no_systemc_and_no_pkg_config(self):
        self.away("3.0.2")
        self.use("-DCMAKE_DISABLE_FIND_PACKAGE_PkgConfig=ON", wanted="kernels")
        self.built()

    def test_an_unknown_component_is_named_beside_those_that_are_there(self):
        self.assertIn("there is no component 'modle' in this Walkway; it has kernels, model", self.use(wanted="modle", ok=False))

    def test_systemc_home_counts_before_the_system_s_also_without_a_package(self):
        home = self.dir / "home"
        shutil.copytree(self.all / "3.0.1", home, symlinks=True)
        shutil.rmtree(home / "lib" / "cmake")
        said = install("small", self.dir / "build", self.dir / "walkway", env={"SYSTEMC_HOME": str(home)})
        self.assertIn(f"SystemC 3.0.1 in {home}", said)
        self.assertEqual(command(self.dir / "walkway" / "bin" / "walkway").strip(), "program with 3.0.1")
        self.use(prefix=self.dir / "walkway")
        self.assertEqual(self.built(), "user with 3.0.1")

    def test_a_systemc_home_without_systemc_is_refused(self):
        said = " ".join(configure("small", self.dir / "build", env={"SYSTEMC_HOME": str(self.dir)}, ok=False).split())
        self.assertIn(f"SYSTEMC_HOME is '{self.dir}', which has neither a CMake package nor include/systemc and a library", said)


if __name__ == "__main__":
    unittest.main()
