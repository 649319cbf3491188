import { type Program, program } from "../program";
import { byOptions, manager, runsHooks } from "../special/system-packages";

/** Package managers of the machine, which need the machine's rights. */
export const systemPackagePrograms: readonly Program[] = [
  manager("apt apt-get aptitude apt-cache", "list show search policy depends rdepends showpkg madison stats pkgnames dump help moo"),
  manager("yum dnf microdnf", "list info search repolist provides repoquery check-update history help deplist"),
  manager("zypper", "search se info if list-updates lu repos lr packages pa help"),
  manager("apk", "info list search policy dot stats version"),
  manager("snap flatpak", "list find info search version changes help known remotes"),
  manager("brew port", "list ls info search deps uses outdated config doctor home leaves --prefix --version desc cat log help"),
  byOptions("dpkg", /^-[iPr]$|^--(?:install|unpack|configure|remove|purge|set-selections|triggers-only|update-avail|force-\w+)/),
  byOptions("rpm", /^-[iUFe]|^--(?:install|upgrade|freshen|erase|import|rebuilddb|initdb|setperms|setugids)/),
  byOptions("pacman yay paru", /^-[SRUD]$|^-[SRUD][a-z]*[ycun][a-z]*$|^--(?:sync|remove|upgrade|database)$/),
  program("dpkg-query rpmquery apt-mark apt-config apt-file", { valued: runsHooks }),
];
