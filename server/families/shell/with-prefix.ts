/** Puts an admin's words in front of a command; a command that begins with them stays as it is. */
export function withPrefix(command: string, prefix: string): string {
  return prefix === "" || command.startsWith(`${prefix} `) ? command : `${prefix} ${command}`;
}
