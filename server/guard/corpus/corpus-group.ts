/** Commands of one kind, and why they are what they are. */
export type CorpusGroup = {
  kind: "dangerous" | "benign";
  why: string;
  /** Of dangerous ones: the beginning of the detector's id that has to find them whatever the policy is. */
  finds?: string;
  /** Of benign ones: they use nothing but ls, cat, grep and find, so that a rule for these has to allow them. */
  onlyReads?: boolean;
  commands: readonly string[];
};
