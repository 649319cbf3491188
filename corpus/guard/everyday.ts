import { building } from "./everyday/building";
import { destroying } from "./everyday/destroying";
import { editing } from "./everyday/editing";
import type { EverydayGroup } from "./everyday/everyday-group";
import { leaving } from "./everyday/leaving";
import { leavingFurther } from "./everyday/leaving-further";
import { looking } from "./everyday/looking";
import { running } from "./everyday/running";
import { searching } from "./everyday/searching";
import { sessions } from "./everyday/sessions";

export type EverydayCommand = Omit<EverydayGroup, "commands"> & { command: string };

const groups: readonly EverydayGroup[] = [
  ...looking,
  ...searching,
  ...editing,
  ...building,
  ...running,
  ...sessions,
  ...leaving,
  ...leavingFurther,
  ...destroying,
];

/**
 * Everyday shell commands of coding and office agents, in roughly the proportions of real sessions: about three
 * quarters stay in the folder. The conversation's folder is everydayFolder.
 */
export const everydayCommands: readonly EverydayCommand[] = groups.flatMap(({ commands, ...group }) =>
  commands.map((command) => ({ ...group, command })),
);

/** The conversation's folder as the commands name it. */
export const everydayFolder = "/workspace";
