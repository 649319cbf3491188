const builders = /^(?:npm|pnpm|yarn|bun|vite|ng|astro|vitepress|vuepress)$/;
/** Options that say under which path of a site something is served. */
const servedUnder = /^--(?:base|base-?href|base-?path|public-?path|public-?url|deploy-?url)=(\/[\w./-]*)$/i;
/** Folders that every machine has: whoever names one of them may mean it. */
const ofTheSystem =
  /^\/+(?:bin|boot|dev|etc|home|lib\w*|media|mnt|opt|private|proc|root|run|sbin|srv|sys|tmp|usr|users|var|volumes|library|applications|system)(?:\/|$)/i;

/** The words of a command that builds a site, without the path of a URL: `npm run build -- --base=/app/`. */
export function withoutServedPaths(name: string, args: readonly string[]): readonly string[] {
  if (!builders.test(name)) return args;
  return args.filter((word) => {
    const path = servedUnder.exec(word)?.[1];
    return path === undefined || path.includes("..") || path.startsWith("//") || ofTheSystem.test(path);
  });
}
