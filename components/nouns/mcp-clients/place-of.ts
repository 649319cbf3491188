/** The part of an address by which people recognise a program. */
export function placeOf(uri: string): string {
  const { protocol, host } = new URL(uri);
  if (protocol === "https:") return host;
  return protocol === "http:" ? `this computer (${host})` : `the program for ${protocol}`;
}
