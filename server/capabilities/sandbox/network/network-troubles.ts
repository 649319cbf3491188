import type { ProxyEvent } from "./host-proxy";

/** Hosts that a result names. */
const maxNamed = 3;

const proxyVariables = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"] as const;
type Environment = Readonly<Record<string, string | undefined>>;

/** Collects the connections that failed for one program, because most programs only print "CONNECT tunnel failed". */
export function networkTroubles(environment: Environment = process.env): { note: (event: ProxyEvent) => void; sentences: () => string[] } {
  const found = new Map<string, string>();
  const throughProxy = proxyVariables.find((name) => environment[name]);
  return {
    note: ({ host, port, outcome, reason }) => {
      const place = `${host.includes(":") ? `[${host}]` : host}:${port}`;
      // A later attempt that succeeds leaves nothing to say.
      if (outcome === "reached") found.delete(place);
      else if (found.size < 100)
        found.set(place, outcome === "refused" ? (reason ?? "") : failureOf({ host, place }, reason ?? "", throughProxy));
    },
    sentences: () => {
      const all = [...found.values()];
      return all.length <= maxNamed ? all : [...all.slice(0, maxNamed), `${all.length - maxNamed} more hosts could not be reached either.`];
    },
  };
}

function failureOf({ host, place }: { host: string; place: string }, reason: string, throughProxy: string | undefined): string {
  const company = throughProxy
    ? ` This machine itself uses a proxy (${throughProxy}), which the sandbox does not use: ask an admin to let this machine reach ${place} directly.`
    : "";
  if (/ENOTFOUND|EAI_NODATA|EAI_NONAME/.test(reason))
    return `The name ${host} is unknown to this machine's name server. Check its spelling.${company}`;
  if (/EAI_AGAIN|ESERVFAIL|EAI_FAIL|ETIMEOUT\b/.test(reason))
    return `No name server answered for ${host}, so this machine seems to have no network.${company || " Ask an admin."}`;
  if (/ECONNREFUSED/.test(reason)) return `${place} refused the connection: nothing listens there.`;
  if (/no answer in time|ETIMEDOUT/.test(reason))
    return `${place} did not answer in time. A firewall may stand between.${company || " Try again, or ask an admin."}`;
  if (/ENETUNREACH|EHOSTUNREACH/.test(reason)) return `No way leads from this machine to ${place}.${company || " Ask an admin."}`;
  return reason;
}
