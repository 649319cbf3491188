import { expect, test } from "vitest";
import { z } from "zod";
import { endpoints } from "@/contracts";
import { type Endpoint, endpoint } from "@/contracts/endpoint";
import { answers } from "@/server/api/answers";
import { answer } from "@/server/endpoints/answer";
import { toRoutes } from "./routes";

test("every endpoint of the contracts is answered, and nothing else", () => {
  const groups: Record<string, Record<string, Endpoint>> = endpoints;
  const all = Object.values(groups).flatMap((group) => Object.values(group));
  const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;
  expect(answers.map(({ endpoint }) => nameOf(endpoint)).sort()).toEqual(all.map(nameOf).sort());
});

test("an endpoint that is answered twice is refused when the product starts", () => {
  const ping = { get: endpoint({ method: "GET", path: "/ping", summary: "Answers", permission: null, response: z.object({}) }) };
  const answered = answer(ping, { get: async () => undefined });
  expect(() => toRoutes([...answered, ...answered])).toThrow("GET /ping is answered twice");
});
