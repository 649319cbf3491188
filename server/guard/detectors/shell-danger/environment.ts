import type { SimpleCommand } from "../../shell/read-script";
import type { RunningCommand, RunningScript } from "../../shell/running-commands";
import { type Family, nothing, type Seen } from "./danger";

/** Variables that name programs, libraries or options for them, so that another command does something else. */
const names =
  /^(PATH|LD_\w+|DYLD_\w+|BASH_ENV|BASH_FUNC_.*|BASHOPTS|SHELLOPTS|ENV|ZDOTDIR|PS[0124]|PROMPT_COMMAND|IFS|CDPATH|GLOBIGNORE|EXECIGNORE|FPATH|GIT_(SSH|SSH_COMMAND|EXTERNAL_DIFF|PAGER|EDITOR|SEQUENCE_EDITOR|ASKPASS|PROXY_COMMAND|EXEC_PATH|TEMPLATE_DIR|CONFIG\w*|ALLOW_PROTOCOL)|PAGER|MANPAGER|MANOPT|BAT_PAGER|SYSTEMD_PAGER|PSQL_PAGER|PSQL_EDITOR|AWS_PAGER|GH_PAGER|DELTA_PAGER|LESS|LESSOPEN|LESSCLOSE|LESSKEY\w*|MORE|EDITOR|VISUAL|FCEDIT|SUDO_EDITOR|SUDO_ASKPASS|SSH_ASKPASS\w*|BROWSER|PYTHON(STARTUP|HOME|INSPECT|BREAKPOINT|WARNINGS|USERBASE)|PERL5(OPT|LIB|DB)|PERLLIB|RUBY(OPT|LIB)|NODE_OPTIONS|NODE_PATH|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|LUA_INIT\w*|LUA_C?PATH|GCONV_PATH|LOCPATH|NLSPATH|MAKEFLAGS|MAKEFILES|TAR_OPTIONS|TAPE|RSYNC_RSH|RSYNC_CONNECT_PROG|CVS_RSH|SVN_SSH|HGRCPATH|HGEDITOR|ZIPOPT|UNZIP|UNZIPOPT|WGETRC|CURL_HOME|NPM_CONFIG_(SCRIPT_SHELL|USERCONFIG|GLOBALCONFIG|NODE_OPTIONS|GIT)|npm_config_(script_shell|userconfig|node_options|git)|PIP_CONFIG_FILE|PIP_INDEX_URL|PIP_EXTRA_INDEX_URL|OPENSSL_(CONF|ENGINES|MODULES)|KRB5_CONFIG|EXINIT|VIMINIT|GVIMINIT|MYVIMRC|INPUTRC|SHELL|RUSTC_WRAPPER|RUSTC_WORKSPACE_WRAPPER|RUSTC|CARGO_.*(RUNNER|LINKER|WRAPPER)|GOFLAGS|ANSIBLE_\w+|PHPRC|PHP_INI_SCAN_DIR|R_PROFILE\w*|R_ENVIRON\w*|DOTNET_STARTUP_HOOKS|CORECLR_PROFILER\w*|GTK_(MODULES|PATH)|QT_PLUGIN_PATH|XDG_CONFIG_(HOME|DIRS)|TERMINFO|HISTFILE|FZF_DEFAULT_(COMMAND|OPTS)|RIPGREP_CONFIG_PATH|GREP_OPTIONS|DOCKER_HOST|KUBECONFIG|ERL_(FLAGS|AFLAGS|ZFLAGS)|_\w*PRELOAD)$/;

const harmlessPager = /^("|'|)(cat|less|true|:|head|false|no|nano|vim?|)\1$/;

/** Whether a value is one that people set every day and that starts nothing. */
function isHarmless(name: string, value: string): boolean {
  if (/(PAGER|EDITOR|VISUAL)$/.test(name)) return harmlessPager.test(value);
  // Appended, a folder is only looked at for what is nowhere else.
  if (name === "PATH") return /^"?\$(PATH|\{PATH\})(:[^"]*)?"?$/.test(value);
  if (name === "NODE_OPTIONS")
    return /^["']?(\s*--(max-old-space-size|no-warnings|enable-source-maps|trace-\w+|stack-size|max-semi-space-size)(=\w+)?)*["']?$/.test(
      value,
    );
  if (name === "PYTHONWARNINGS") return /^["']?[a-z,]*["']?$/.test(value);
  if (name === "LESS") return /^["']?-?[FRXSMi]*["']?$/.test(value);
  if (name === "JAVA_TOOL_OPTIONS" || name === "_JAVA_OPTIONS") return /^["']?(\s*-(Xm[xsn]\w+|Dfile\.encoding=[\w-]+))*["']?$/.test(value);
  if (name === "MAKEFLAGS") return /^["']?-?-?j?\d*["']?$/.test(value);
  if (name === "GOFLAGS") return /^["']?(-mod=\w+|-count=\d+|-v|\s)*["']?$/.test(value);
  return name === "IFS" && /^(''|""|,|:|\$'\\n'|\$'\\t')?$/.test(value);
}

function ofAssignment(text: string, where: string): readonly Seen[] {
  const end = text.indexOf("=");
  const name = text.slice(0, end).replace(/(\+|\[.*)$/, "");
  if (end <= 0 || !names.test(name) || isHarmless(name, text.slice(end + 1))) return nothing;
  return [{ danger: "shell.environment", does: `sets ${name}, which changes what other commands do`, text: where }];
}

function ofSimple({ node, text }: SimpleCommand): readonly Seen[] {
  const found: Seen[] = [];
  for (const part of [...node.prefix, ...node.suffix]) if (part.type === "Assignment") found.push(...ofAssignment(part.text, text));
  return found;
}

const settingCommands = new Set(["env", "sudo", "export", "declare", "typeset", "readonly", "local", "printf", "read"]);

function ofCommand({ name, words }: RunningCommand): readonly Seen[] {
  if (!settingCommands.has(name)) return nothing;
  const text = words.join(" ");
  return words.flatMap((word, at) => {
    if (at > 0 && word.includes("=")) return ofAssignment(word, text);
    return at > 0 ? ofAssignment(`${setBy(name, words, at)}=?`, text) : nothing;
  });
}

/** The variable that a command sets with one of its words: `printf -v PATH x`, `read PATH`, `: ${PAGER:=x}; export PAGER`. */
function setBy(name: string, words: readonly string[], at: number): string {
  const word = words[at] ?? "";
  if (name === "printf") return /^-v(.+)/s.exec(word)?.[1] ?? (words[at - 1] === "-v" ? word : "");
  return name === "read" || (name === "export" && word !== "PATH") ? word : "";
}

function ofScript({ script, commands }: RunningScript): readonly Seen[] {
  const loops = script.loops.flatMap(({ name }) => ofAssignment(`${name.value}=?`, `for ${name.value}`));
  return [...script.commands.flatMap(ofSimple), ...commands.flatMap(ofCommand), ...loops];
}

export const environment: Family = {
  dangers: [
    {
      id: "shell.environment",
      title: "Variables that change what commands do",
      severity: "high",
      verdict: "require_approval",
      escapes: true,
      explanation:
        "With PATH, LD_PRELOAD, GIT_SSH_COMMAND, PAGER, NODE_OPTIONS and the like set, a harmless command starts another program or loads other code.",
      fix: "Leave the variable as it is, or name the program by its path.",
    },
  ],
  ofScript,
};
