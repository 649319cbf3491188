import "server-only";
import { z } from "zod";
import type { LocalModelServer, LocalServerKind } from "@/contracts/models/models";
import type { Authorized } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { providersInOrder } from "./find-provider";
import { providerHttp } from "./provider-fetch";

/** A local server says at once that it is there, or it is not there. */
const probeLimitMs = 1_000;
const maxAnswerBytes = 1_048_576;
const maxModels = 100;

type Candidate = {
  server: LocalServerKind;
  name: string;
  origin: string;
  /** Path that only this server answers in this form. */
  path: string;
  /** Returns its models; null for another program on the same port. */
  read: (document: unknown) => string[] | null;
};

const OllamaTags = z.object({ models: z.array(z.object({ name: z.string(), digest: z.string() })) });
const LmStudioModels = z.object({ data: z.array(z.object({ id: z.string(), type: z.string() })) });
const OwnedModels = z.object({ data: z.array(z.object({ id: z.string(), owned_by: z.string() })).min(1) });

/** Port of each server when nobody changed it. */
export const usualServers: readonly Candidate[] = [
  {
    server: "ollama",
    name: "Ollama",
    origin: "http://127.0.0.1:11434",
    path: "/api/tags",
    read: (document) => OllamaTags.safeParse(document).data?.models.map(({ name }) => name) ?? null,
  },
  {
    server: "llama_cpp",
    name: "llama.cpp",
    origin: "http://127.0.0.1:8080",
    path: "/v1/models",
    read: ownedBy("llamacpp"),
  },
  {
    server: "lm_studio",
    name: "LM Studio",
    origin: "http://127.0.0.1:1234",
    path: "/api/v0/models",
    read: (document) =>
      LmStudioModels.safeParse(document)
        .data?.data.filter(({ type }) => type !== "embeddings")
        .map(({ id }) => id) ?? null,
  },
  { server: "vllm", name: "vLLM", origin: "http://127.0.0.1:8000", path: "/v1/models", read: ownedBy("vllm") },
];

function ownedBy(owner: string): Candidate["read"] {
  return (document) => {
    const models = OwnedModels.safeParse(document).data?.data;
    return models?.every(({ owned_by }) => owned_by === owner) ? models.map(({ id }) => id) : null;
  };
}

/** Finds model servers on this machine. Each is asked by its own protocol, because another program may use the port. */
export async function findLocalServers(
  actor: Authorized<"models:write">,
  candidates: readonly Candidate[] = usualServers,
): Promise<{ items: LocalModelServer[] }> {
  const [found, providers] = await Promise.all([Promise.all(candidates.map(probe)), providersInOrder(db(), actor.workspaceId)]);
  const providerAt = (origin: string) => providers.find(({ baseUrl }) => sameServer(baseUrl, origin))?.id ?? null;
  return { items: found.flatMap((server) => (server ? [{ ...server, providerId: providerAt(server.baseUrl) }] : [])) };
}

async function probe({ server, name, origin, path, read }: Candidate): Promise<Omit<LocalModelServer, "providerId"> | null> {
  try {
    const answer = await providerHttp(origin).fetch(`${origin}${path}`, {
      method: "GET",
      signal: AbortSignal.timeout(probeLimitMs),
      maxBytes: maxAnswerBytes,
    });
    if (answer.status !== 200 || answer.truncated) return null;
    const models = read(JSON.parse(Buffer.from(answer.bytes).toString("utf8")));
    return models ? { server, name, baseUrl: `${origin}/v1`, models: models.slice(0, maxModels) } : null;
  } catch {
    // No server there, or one that speaks something else.
    return null;
  }
}

function sameServer(baseUrl: string, other: string): boolean {
  const [one, two] = [new URL(baseUrl), new URL(other)];
  const isLocal = ["127.0.0.1", "localhost", "[::1]"].includes(one.hostname);
  return isLocal && one.port === two.port;
}
