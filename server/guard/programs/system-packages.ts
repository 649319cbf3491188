import { elevates, type Program, program, runsAnother } from "./program";

const installs = elevates("shell.machine_setup", "installs or removes software of the machine");

const runsHooks = {
  "-o --option -c --config-file --config --setopt --pre-invoke --post-invoke --pipe --eval -E --define --load": {
    role: "text",
    does: [runsAnother],
  },
} as const;

function manager(names: string, looking: string): Program {
  return program(names, {
    valued: runsHooks,
    subcommands: { [looking]: { valued: runsHooks } },
    otherwise: { valued: runsHooks, operands: ["text"], does: [installs] },
  });
}

/** Builds a package manager whose options select the action: `dpkg -i`, `pacman -S`. */
function byOptions(names: string, changing: RegExp): Program {
  return program(names, {
    valued: { "--config --config-file --pipe --eval --define --load --pre-invoke --post-invoke": { role: "text", does: [runsAnother] } },
    special: ({ parsed, role, does }) => {
      const option = parsed.options.find(({ name, word }) => changing.test(name) || changing.test(word.value));
      if (!option) return;
      does(installs, option.word);
      for (const operand of parsed.operands) if (/[./]/.test(operand.value)) role("executes", operand);
    },
  });
}

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
