import type { SecretValues } from "./secret-values";

/** What a program needs to find its way on this machine. None of it is a secret. */
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
  "NODE_EXTRA_CA_CERTS",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
];

/** The whole environment of a stdio server: an allowlist of ours and what its settings say. Nothing else is passed on. */
export function childEnvironment(configured: SecretValues, ours: Record<string, string | undefined>): Record<string, string> {
  const basic = inherited.flatMap((name) => (ours[name] === undefined ? [] : [[name, ours[name]] as const]));
  return { ...Object.fromEntries(basic), ...configured };
}
