import { elevates, type Program, program, runsAnother } from "../program";

const installs = elevates("shell.machine_setup", "installs or removes software of the machine");

export const runsHooks = {
  "-o --option -c --config-file --config --setopt --pre-invoke --post-invoke --pipe --eval -E --define --load": runsAnother,
} as const;

export function manager(names: string, looking: string): Program {
  return program(names, {
    valued: runsHooks,
    subcommands: { [looking]: { valued: runsHooks } },
    otherwise: { valued: runsHooks, operands: ["text"], does: [installs] },
  });
}

/** Builds a package manager whose options select the action: `dpkg -i`, `pacman -S`. */
export function byOptions(names: string, changing: RegExp): Program {
  return program(names, {
    valued: { "--config --config-file --pipe --eval --define --load --pre-invoke --post-invoke": runsAnother },
    special: ({ parsed, role, does }) => {
      const option = parsed.options.find(({ name, word }) => changing.test(name) || changing.test(word.value));
      if (!option) return;
      does(installs, option.word);
      for (const operand of parsed.operands) if (/[./]/.test(operand.value)) role("executes", operand);
    },
  });
}
