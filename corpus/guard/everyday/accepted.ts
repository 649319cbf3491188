/**
 * Everyday commands that want out and pass unasked all the same, with the reason why a question would serve nobody. The
 * measure counts any other such command as a failure, and also an entry here that asks by now.
 */
const groups: readonly { why: string; commands: readonly string[] }[] = [
  {
    why: "The sandbox has no network for them, so they end with an error that names the missing hosts. Without the sandbox they ask.",
    commands: [
      "npx degit user/template app",
      "npx playwright install chromium",
      "npx npm-check-updates -u",
      "bunx create-hono app",
      "npx sentry-cli releases list",
      "npx husky init",
      "nix-shell -p hello",
      "pre-commit install",
      "eksctl get cluster",
      "terraform output -json",
      "python scrape.py https://example.com",
    ],
  },
  {
    why: "The sandbox has no desktop and no keychain for them, so they end with an error. Without the sandbox they ask.",
    commands: ["open https://example.com", "xdg-open report.html", "code .", "security find-generic-password -s app"],
  },
  {
    why: "They only look at the machine and change nothing. In the sandbox they see its own namespaces.",
    commands: [
      "systemctl status nginx",
      "journalctl -u app -n 50",
      "crontab -l",
      "launchctl list",
      "mount | grep sda",
      "ip addr",
      "netstat -tlnp",
      "kubectl config get-contexts",
    ],
  },
  {
    why: "It prints the names of files, and HOME is the conversation's folder.",
    commands: ["ls ~/.ssh"],
  },
];

/** The reason why each accepted command may pass, by command. */
export const acceptedCommands: ReadonlyMap<string, string> = new Map(
  groups.flatMap(({ why, commands }) => commands.map((command) => [command, why] as const)),
);
