import path from "node:path";
import { machinePath } from "@/server/platform/machine-path";
import type { SecretValues } from "../settings/secret-values";

/** Variables that name certificates beside those of the system. */
const certificates = ["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "SSL_CERT_DIR"];

/** Variables that a program on this machine needs; none is a secret. */
const inherited = [
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "SHELL",
  "LANG",
  "LANGUAGE",
  "LC_ALL",
  "LC_CTYPE",
  "TZ",
  "TERM",
  "TMPDIR",
  "XDG_CACHE_HOME",
  "XDG_CONFIG_HOME",
  "XDG_DATA_HOME",
  ...certificates,
];

type Variables = Record<string, string | undefined>;

/**
 * Builds the whole environment of a stdio server without a sandbox: the allow list above and the server's settings. PATH
 * excludes Handrail's own folders, which would give the server Handrail's packages and Node.
 */
export function childEnvironment(configured: SecretValues, ours: Variables): Record<string, string> {
  const basic = { ...picked(inherited, ours), ...(ours.PATH === undefined ? {} : { PATH: machinePath(ours.PATH).join(path.delimiter) }) };
  return { ...basic, ...configured };
}

/** Picks the variables that name certificates, for a server in the sandbox. */
export const certificateVariables = (ours: Variables): Record<string, string> => picked(certificates, ours);

function picked(names: readonly string[], ours: Variables): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (ours[name] === undefined ? [] : [[name, ours[name]]])));
}
