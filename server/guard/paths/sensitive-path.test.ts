import { describe, expect, test } from "vitest";
import { compileSensitivePaths } from "./sensitive-globs";
import { mayBeSensitive, sensitiveClass } from "./sensitive-path";

const nothingMore = compileSensitivePaths([]);
const words = (table: string) => table.split(/\s+/).filter((path) => path !== "");

const sensitive = words(`
  .env .envrc .env.local a/.env .ENV ./.env a/../.env .env.production.local
  terraform.tfstate terraform.tfstate.backup infra/prod.tfstate terraform.tfvars prod.tfvars prod.auto.tfvars x.tfvars.json
  secrets.yml secrets.yaml secrets.json secret.yaml config/secrets.toml Secrets.JSON
  client_secret.json client_secret_123-abc.apps.googleusercontent.com.json client_secrets.json
  wp-config.php site/wp-config.php config/database.yml backend/config/database.yml config/master.key
  .bash_history .zsh_history .history .sh_history .psql_history .mysql_history .python_history .node_repl_history fish_history
  .cargo/credentials .cargo/credentials.toml ~/.cargo/credentials.toml
  .config/gh/hosts.yml ~/.config/gh/hosts.yml /home/me/.config/gh/hosts.yml .codex/auth.json ~/.codex/auth.json .claude/.credentials.json
  kubeconfig kubeconfig.yaml kubeconfig-prod prod.kubeconfig
  secret-key postgres-password data/secret-key ../../secret-key
  .git/config a/.git/config .git/modules/x/config .git-credentials
  id_rsa .ssh/id_ed25519 .ssh .aws/credentials .kube/config secrets/x secrets/prod.yaml a/credentials/token.txt
  .ssh/known.ts .aws/x.py secrets/server.pem private-keys/a.key
  /etc/shadow /proc/self/environ server.pem C:\\Users\\me\\.env file:///a/%2eenv
  .e* id_* .npmrc .netrc rclone.conf .m2/settings.xml
`);

const ordinary = words(`
  .env.example .env.sample .env.template .env.dist .env.md a/.env.example
  src/secrets/index.ts server/secrets/mask-secrets.ts lib/credentials/store.py secrets/vault.go src/secrets/a/b.rs private-keys/parse.js
  secrets a/secrets secrets.ts secret-shape.ts kubeconfig.go kubeconfig.ts terraform.tf main.tf variables.tf x.tfvars.example
  database.yml config/database.ts hosts.yml auth.json src/auth.json config.yml git/config .github/workflows/ci.yml .gitignore .gitattributes
  history.ts history.md docs/history HISTORY.md client_secret.ts wp-config.ts README.md index.ts package.json drafts/chapter-1.md
  secrets.md secret.txt password.ts postgres-password.ts
  * *.ts ? . .. / a/b
`);

test.each(sensitive)("%s holds secrets", (path) => {
  expect(sensitiveClass(path, nothingMore)).toBe("sensitive");
  expect(mayBeSensitive(path), "and the quick look does not rule it out").toBe(true);
});

test.each(ordinary)("%s is ordinary", (path) => expect(sensitiveClass(path, nothingMore)).toBeNull());

describe("a path that an admin named", () => {
  const extra = compileSensitivePaths(["plans", "*.bak"]);
  test.each(["plans/2027.md", "a/plans/b", "db.bak"])("%s is sensitive", (path) => {
    expect(sensitiveClass(path, extra)).toBe("sensitive");
    expect(sensitiveClass(path, nothingMore)).toBeNull();
  });
});
