const defaultPorts: Readonly<Record<string, string>> = { https: "443", http: "80", ssh: "22", git: "9418" };

/**
 * Returns the address of a remote repository in the one form in which rules, grants and sessions compare it: host and path,
 * without protocol, user, password, default port and `.git`, in lower case. `git@GitHub.com:Acme/Shop.git` is
 * `github.com/acme/shop`; a path on the machine stays one.
 */
export function normalRepository(address: string): string {
  const text = address.trim();
  const url = /^([a-z][a-z0-9+.-]*):\/\/(?:[^/@]*@)?([^/:]*)(?::(\d+))?(\/.*)?$/i.exec(text);
  // `git@host:path`: the form of ssh without a protocol. `host:22/path` has a port, and a path of Windows begins with one letter.
  const short = url ? null : (/^[^/@:]+@([^/:]+):(.*)$/.exec(text) ?? /^([^/@:]{2,}):(?!\d+\/)(.*)$/.exec(text));
  const [protocol, host, port, path] = url
    ? [url[1] ?? "", url[2] ?? "", url[3], url[4] ?? ""]
    : short
      ? ["ssh", short[1] ?? "", undefined, short[2] ?? ""]
      : ["", "", undefined, text];
  const where = port === undefined || defaultPorts[protocol.toLowerCase()] === port ? host : `${host}:${port}`;
  const below = path
    .replaceAll(/\/{2,}/g, "/")
    .replace(/\/+$/, "")
    .replace(/\.git$/i, "");
  return (where === "" ? below : `${where}/${below.replace(/^\/+/, "")}`).toLowerCase();
}

/**
 * Returns whether a repository is the one that is named, or lies below an address that ends in `/*`. Both in any form.
 */
export function isRepository(named: string, repository: string): boolean {
  const wanted = normalRepository(named);
  const is = normalRepository(repository);
  return wanted.endsWith("/*") ? is.startsWith(wanted.slice(0, -1)) && is.length > wanted.length - 1 : wanted === is;
}
