import { excerpt } from "../excerpt";
import { globFits, withoutBrackets } from "./glob";
import { compilePathTable } from "./path-table";
import { namesOn, plainPath } from "./plain-path";
import type { SensitivePaths } from "./sensitive-globs";

/** System files about users, rights and keys. */
const systemFile = /^\/(?:private\/)?etc\/(?:passwd|g?shadow|master\.passwd|sudoers|security|ssh|ssl\/private|krb5\.keytab)(?:[-/.].*)?$/;
const processSecret = /^\/proc\/(?:[^/]+\/)*(?:environ|mem|maps|kcore)$/;

/** Folders of keys and secrets, by the names that programs give them. */
const secretFolders = ".ssh .aws .gnupg .kube .azure .gcloud .docker .password-store".split(" ");
/** Folders named by ordinary words, which may also hold the source code that handles secrets. */
const wordFolders = ["secrets", "credentials", "private-keys"];
const allFolders = [...secretFolders, ...wordFolders];

/** Names of files that hold secrets. */
const secretNames = [
  ...row(".env .envrc .netrc _netrc .pgpass .my.cnf .npmrc .pypirc .git-credentials .htpasswd .vault-token .s3cfg .boto .dockercfg"),
  ...row("credentials credentials.json credentials.toml .credentials.json credentials.tfrc.json .terraformrc rclone.conf"),
  ...row("service-account.json service_account.json application_default_credentials.json oauth_creds.json"),
  ...row("authorized_keys id_rsa id_dsa id_ecdsa id_ed25519 sudoers"),
  ...row("secret-key secret_key postgres-password wp-config.php terraform.tfstate fish_history consolehost_history.txt"),
];

/** Files that hold secrets only at these places, because their names are ordinary elsewhere. */
const secretPlaces = compilePathTable([
  ...row(".git/config .git/modules/**/config .config/git/credentials .config/gh/hosts.yml .config/glab-cli/config.yml .config/gcloud/"),
  ...row("config/database.yml config/database.yaml config/master.key .codex/auth.json .composer/auth.json composer/auth.json"),
  ...row(".m2/settings.xml .gradle/gradle.properties .gem/credentials .local/share/keyrings/ .snowsql/config .config/doctl/config.yaml"),
]);

/** Patterns for families of file names. */
const secretPatterns = [
  // Templates such as `.env.example` are made to be shared.
  /^\.env\.(?!(?:example|sample|template|dist|defaults?|test|ci|md)$)[\w.-]+$/,
  /\.tfstate(?:\.[\w.-]+)?$/,
  /\.tfvars(?:\.json)?$/,
  /^\.(?:[\w-]+_)?history$/,
  /^secrets?\.(?:ya?ml|json|toml|ini|env|xml|properties)$/,
  /^client_secret[\w.-]*\.json$/,
  /^kubeconfig(?:[._-][\w.-]*)?$/,
  /\.kubeconfig$/,
];
const keyFile = /\.(?:pem|key|p12|pfx|jks|keystore|ppk|kdbx|asc\.key)$/;

/** Source files: in a folder named `secrets` they are the program that handles secrets. */
const sourceFile =
  /\.(?:[cm]?[jt]sx?|py|pyi|rb|go|rs|java|kt|kts|scala|groovy|clj|c|h|cc|cpp|cxx|hpp|hh|m|mm|cs|fs|vb|swift|php|pl|pm|lua|r|jl|ex|exs|erl|hs|ml|dart|vue|svelte|css|scss|less|html)$/;

/** Matches in every path that a table here may recognise; most paths have no match. */
const hint =
  /\.(?:env|ssh|aws|gnupg|kube|azure|gcloud|docker|netrc|pgpass|my|npmrc|pypirc|git|htpasswd|vault|s3cfg|boto|terraformrc|tfstate|tfvars|codex|composer|m2|gradle|gem|local|snowsql|config)|_netrc|secret|credential|private|service|authorized|id_|sudoers|etc|proc|\.key|\.pem|\.p12|\.pfx|\.jks|\.keystore|\.ppk|\.kdbx|rclone|oauth|password|wp-config|history|config\/|kubeconfig|composer|[*?[%\\]/i;

/** Tests cheaply whether a path may be sensitive in every workspace; false is never wrong. */
export function mayBeSensitive(path: string): boolean {
  return hint.test(path);
}

/** Classifies a path as sensitive: it holds keys, passwords or a machine's rules, or an admin declared it sensitive. */
export function sensitiveClass(path: string, extra: SensitivePaths): "sensitive" | null {
  return whySensitive(path, extra) === null ? null : "sensitive";
}

/** Explains why a path is sensitive, as a sentence part; null when it is not. */
export function whySensitive(written: string, extra: SensitivePaths): string | null {
  if (!mayBeSensitive(written) && extra.isEmpty) return null;
  const plain = plainPath(written);
  if (systemFile.test(plain) || processSecret.test(plain)) {
    return "is a file of the system that says who may do what, or what its programs know";
  }
  const names = namesOn(plain);
  const base = names.at(-1) ?? "";
  if (liesInSecretFolder(names, base)) return "lies in a folder of keys and secrets";
  const isSource = sourceFile.test(base);
  if (secretNames.includes(base) || secretPlaces(names) || isGlobFor(base, secretNames)) return "is a file that holds secrets";
  if (!isSource && secretPatterns.some((pattern) => pattern.test(base))) return "is a file that holds secrets";
  if (keyFile.test(base)) return "is a file that holds a key";
  const glob = extra.fitting(plain);
  return glob === null ? null : `is sensitive here (\`${excerpt(glob)}\`)`;
}

function liesInSecretFolder(names: readonly string[], base: string): boolean {
  const found = names.findIndex((name) => allFolders.includes(name) || isGlobFor(name, allFolders));
  if (found < 0) return false;
  const folder = names[found] ?? "";
  if (folder.startsWith(".")) return true;
  // For the folder itself only the name is known, so only names that programs give decide.
  if (found === names.length - 1) return names.some((name) => secretFolders.includes(name));
  return !sourceFile.test(base) || names.some((name) => secretFolders.includes(name));
}

/** Returns whether a name is a glob aimed at a known name: it has some of that name's letters, and its dot. */
function isGlobFor(name: string, known: readonly string[]): boolean {
  if (!/[*?[]/.test(name) || /^\*+\.\w+$/.test(name)) return false;
  const glob = withoutBrackets(name);
  const letters = glob.replace(/[*?]/g, "").length;
  return known.some(
    (target) => letters >= (target.startsWith(".") ? 1 : 3) && target.startsWith(".") === glob.startsWith(".") && globFits(glob, target),
  );
}

/** Splits a row of the table into its names. */
function row(words: string): string[] {
  return words.split(" ");
}
