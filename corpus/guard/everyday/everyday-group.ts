/**
 * The expected place of an everyday command, in a workspace whose programs run in the sandbox.
 * `stays`: the command runs unasked, because the sandbox contains all its effects.
 * `leaves`: a sensible person wants to be asked, because the command needs the network, another folder, docker, root or a
 * publication.
 * `destroys`: a sensible person wants to be asked, because the command loses existing data.
 * None of these commands may be denied.
 */
export type EverydayExpectation = "stays" | "leaves" | "destroys";

/** Everyday commands of one kind, with the reason for their classification. */
export type EverydayGroup = {
  why: string;
  expect: EverydayExpectation;
  /** The commands belong to the smaller set of plain development commands. */
  development?: true;
  commands: readonly string[];
};
