import type { SkillFinding } from "@/contracts/skills/skills";

type LineCheck = Pick<SkillFinding, "check" | "severity" | "message"> & { pattern: RegExp };

const check = "script";
const secretPlace =
  "(?:\\.ssh\\/|\\bid_(?:rsa|ed25519|ecdsa)\\b|\\.aws\\/credentials|\\.netrc\\b|\\.kube\\/config|\\.docker\\/config|\\.git-credentials|\\.pgpass\\b|\\.gnupg\\b|\\/etc\\/shadow\\b|Login Data\\b|wallet\\.dat\\b)";

/** Dangerous lines of scripts and of commands in Markdown. Gaps are bounded, so that hostile text stays cheap to read. */
export const scriptChecks: readonly LineCheck[] = [
  {
    check,
    severity: "critical",
    message: "It downloads a program and runs it at once.",
    pattern:
      /\b(?:curl|wget|fetch)\b[^\n|]{0,300}\|\s{0,5}(?:sudo\s{1,5})?(?:ba|z|da|k)?sh\b|\b(?:curl|wget)\b[^\n|]{0,300}\|\s{0,5}(?:sudo\s{1,5})?(?:python3?|node|perl|ruby)\b|\b(?:ba|z)?sh\s{1,5}(?:-c\s{1,5})?["']?(?:<\(|\$\()\s{0,5}(?:curl|wget)\b/,
  },
  {
    check,
    severity: "critical",
    message: "It opens a shell to another machine.",
    pattern: /\/dev\/(?:tcp|udp)\/|\b(?:nc|ncat|netcat)\b[^\n]{0,80}\s-[a-z]{0,3}e\b|\bsocat\b[^\n]{0,120}\bexec:|\bpty\.spawn\s{0,3}\(/i,
  },
  {
    check,
    severity: "critical",
    message: "It runs code that is encoded, so that nobody can read it.",
    pattern:
      /\bbase64\s{1,5}(?:-d|-D|--decode)\b[^\n]{0,120}\|\s{0,5}(?:ba|z|da)?sh\b|\b(?:eval|exec)\s{0,3}\(?[^\n]{0,60}(?:b64decode|fromCharCode|atob\s{0,3}\(|Buffer\.from\([^\n]{0,200}["'](?:base64|hex)["']|bytes\.fromhex|zlib\.decompress|codecs\.decode|marshal\.loads)/,
  },
  {
    check,
    severity: "critical",
    message: "It deletes the system, a home folder or everything around it.",
    pattern:
      /\brm\s{1,5}(?:-[a-zA-Z-]{1,20}\s{1,5}){1,4}(?:--\s{1,3})?["']?(?:\/(?:\*|\s|["']|$)|~|\$\{?HOME\b|\/(?:etc|usr|home|root|var|bin|lib)\b\/?(?:\s|\*|["']|$))|\bmkfs(?:\.\w{1,8})?\s|\bdd\b[^\n]{0,80}\bof=\/dev\/(?:sd|nvme|hd|vd)|:\(\)\s{0,3}\{\s{0,3}:\|:&\s{0,3}\}|shutil\.rmtree\(\s{0,3}(?:["']\/["']|os\.path\.expanduser\(\s{0,3}["']~\/?["'])/,
  },
  { check, severity: "critical", message: "It reads keys or passwords of the machine.", pattern: new RegExp(secretPlace, "i") },
  {
    check,
    severity: "critical",
    message: "It makes itself start by itself.",
    pattern:
      /authorized_keys\b|\bcrontab\s{1,5}-|\/etc\/(?:cron|systemd|rc\.local|profile|sudoers)|\.(?:bashrc|zshrc|bash_profile)\b[^\n]{0,60}(?:>>|write|append)|(?:>>|tee\s{1,5}-a)[^\n]{0,60}\.(?:bashrc|zshrc|bash_profile|profile)\b/,
  },
  {
    check,
    severity: "high",
    message: "It wants rights of the machine.",
    pattern: /(?:^|[;&|]\s{0,5})\s{0,40}sudo\s|\bsetuid\s{0,3}\(|\bchmod\s{1,5}(?:-R\s{1,5})?(?:777|a\+rwx|u\+s)\b|\bpkexec\b/,
  },
  {
    check,
    severity: "high",
    message: "It sends variables of the machine to another place.",
    pattern:
      /(?:\benv\b|\bprintenv\b|os\.environ\b|process\.env\b)[^\n]{0,120}(?:\bcurl\b|\bwget\b|requests\.(?:post|put|get)|urlopen|fetch\s{0,3}\(|axios)|(?:\bcurl\b|requests\.post|fetch\s{0,3}\()[^\n]{0,160}(?:os\.environ\b(?!\s{0,3}[[.(])|\$\(\s{0,3}(?:env|printenv)\s{0,3}\)|JSON\.stringify\(\s{0,3}process\.env\s{0,3}\))/,
  },
  {
    check,
    severity: "medium",
    message: "It runs text as code.",
    pattern: /(?:^|[^.\w])(?:eval|exec)\s{0,3}\(|\bnew Function\s{0,3}\(|(?:^|[;&|]\s{0,5})eval\s/,
  },
  {
    check,
    severity: "medium",
    message: "It gives a shell a text made of other texts.",
    pattern: /\bos\.system\s{0,3}\(|shell\s{0,3}=\s{0,3}True\b|\bchild_process\b|\bexecSync\s{0,3}\(/,
  },
  {
    check,
    severity: "medium",
    message: "It installs packages when it runs.",
    pattern: /\b(?:pip3?|uv|npm|pnpm|yarn|gem|cargo|apt(?:-get)?|brew)\s{1,5}(?:pip\s{1,5})?(?:install|add)\b/,
  },
];
