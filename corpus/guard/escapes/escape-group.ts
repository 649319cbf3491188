/**
 * `deny`: denied whatever rules allow. `not_allowed`: never allowed without a person, under the rules for readers and
 * in a fresh workspace without the sandbox.
 */
export type EscapeExpectation = "deny" | "not_allowed";

/** Letters stand for the classes of escapes from the folder that were found by hand. */
export type EscapeClass =
  | "A: a variable splits the path"
  | "B: words that nobody saw"
  | "C: a cd that fails or does not last"
  | "D: globs that are the parent folder"
  | "E: links"
  | "G: bash evaluates a name"
  | "written out"
  | "programs and writes"
  | "sensitive files"
  | "metadata"
  | "private addresses"
  | "download and run"
  | "floor"
  | "half a floor";

export type EscapeGroup = {
  class: EscapeClass;
  expect: EscapeExpectation;
  /** The commands also leave the sandbox, so that a person is asked there, too. */
  leavesSandbox?: true;
  /** Links that lie in the folder before, from name to target. */
  links?: Readonly<Record<string, string>>;
  commands: readonly string[];
};
