/** Says that paths stand in what a server printed, so that a person knows who names them. */
export const outputSentence = (paths: readonly string[]): string =>
  `The server's own output names ${paths.join(" and ")}, not its settings: allow only what you expect it to read.`;
