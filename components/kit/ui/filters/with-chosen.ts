/** Adds the chosen value to the choices when it is not listed, such as the name of a removed tool. */
export function withChosen(listed: readonly string[], chosen: string | null): string[] {
  return chosen === null || chosen === "" || listed.includes(chosen) ? [...listed] : [chosen, ...listed];
}
