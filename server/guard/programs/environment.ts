/** Variables that only choose a language, colours or the manner of a build. */
const harmless =
  /^(?:LC_[A-Z]+|LANG|LANGUAGE|TZ|NO_COLOR|FORCE_COLOR|CLICOLOR(?:_FORCE)?|COLUMNS|LINES|LS_COLORS|CI|DEBUG|NODE_ENV|RAILS_ENV|RACK_ENV|APP_ENV|FLASK_ENV|PORT|HOST|VERBOSE|LOG_LEVEL|RUST_LOG|RUST_BACKTRACE|PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE|PYTHONHASHSEED|DATABASE_URL|REDIS_URL|\w+_(?:KEY|TOKEN|SECRET|URL|PORT|HOST|ENV|ID|NAME|VERSION|USER|PASSWORD|DIR|MODE|LEVEL|COUNT|TIMEOUT|TESTS?)|VITE_\w+|NEXT_PUBLIC_\w+|REACT_APP_\w+|[a-z_][a-z0-9_]*|[A-Z])$/;
/**
 * Variables through which a shell or a program finds programs, libraries and options. A match counts even when
 * `harmless` matches, too.
 */
const loading =
  /^(?:GIT|LD|DYLD|BASH|PYTHON(?!UNBUFFERED|DONTWRITEBYTECODE|HASHSEED)|PERL|RUBY|NODE(?!_ENV$)|NPM|npm|PIP|LESS|MAN|JAVA|JDK|LUA|DOCKER|KUBE|ANSIBLE|CARGO|RUSTC|GO|MAKE|SSH|SUDO|RSYNC|XDG|GTK|QT|R|ERL|OPENSSL|ENV|UV|GEM|BUNDLE|YARN|PNPM|POETRY|COMPOSER)(?:_|$)|^(?:_JAVA_OPTIONS|PATH|IFS|HOME|SHELL|PS[0-4]|PROMPT_COMMAND|ifs|\w+_proxy)$/;

/** Variables that choose nothing but a language, a time zone or colours, whatever program reads them. */
const harmlessOutside = /^(?:LC_[A-Z]+|LANG|LANGUAGE|TZ|NO_COLOR|FORCE_COLOR|CLICOLOR(?:_FORCE)?|COLUMNS|LINES|DEBIAN_FRONTEND)$/;

/**
 * Returns whether a variable's new value may change which programs or code another command runs.
 * @param where outside of the sandbox only a short list is harmless, because programs of the machine read variables that
 * nobody has listed (`CONTAINER_HOST`, `LIBMYSQL_PLUGIN_DIR`)
 */
export function changesPrograms(name: string, value: string | null, where: { leavesSandbox?: boolean } = {}): boolean {
  if (where.leavesSandbox) return !harmlessOutside.test(name);
  if (name === "NODE_OPTIONS")
    return !/^(?:\s*--(?:max-old-space-size|no-warnings|enable-source-maps|trace-\w+)(?:=\w+)?)*$/.test(value ?? "?");
  if (/(?:PAGER|EDITOR)$/.test(name)) return !/^(?:cat|less|true|:|)$/.test(value ?? "?");
  return loading.test(name) || !harmless.test(name);
}

/** Names that read like a search path, options, a hook or a program, and variables with which bash itself behaves otherwise. */
const loadingByName =
  /(?:OPTS|OPTIONS|FLAGS|ARGS|HOOKS?|PRELOAD|LOADER|PLUGINS?|STARTUP|RC|RCFILE|CONFIG|PATHS?|HOME|EXEC|COMMAND|CMD|SHELL|WRAPPER|PROXY|ASKPASS|BROWSER|VISUAL|AGENT)$|^(?:GLOBIGNORE|EXECIGNORE|POSIXLY_CORRECT|TMOUT|FUNCNEST|COMPAT\w*)$/i;

/**
 * Returns whether a variable is known, or named like one, to change which programs or code later commands run. Less strict
 * than `changesPrograms`, which doubts every unknown name: this decides what commands after the one that was judged inherit.
 */
export function loadsPrograms(name: string, value: string): boolean {
  if (loading.test(name) || loadingByName.test(name)) return true;
  return /(?:PAGER|EDITOR)$/.test(name) && changesPrograms(name, value);
}
