import { afterEach, describe, expect, expectTypeOf, test, vi } from "vitest";
import { z } from "zod";
import { type EndpointAddress, endpoint } from "@/contracts/endpoint";
import { ApiProblem } from "./api-problem";
import { call } from "./call";
import { connection } from "./connection";
import { endpointAddress } from "./endpoint-address";

const rename = endpoint({
  method: "PUT",
  path: "/api/v1/boats/{name}",
  summary: "Rename a boat",
  permission: null,
  params: z.object({ name: z.string() }),
  query: z.object({ limit: z.coerce.number().default(5), old: z.string().optional() }),
  body: z.strictObject({ name: z.string() }),
  response: z.object({ name: z.string(), length: z.number() }),
});
const ping = endpoint({ method: "GET", path: "/api/v1/ping", summary: "Ping", permission: null, response: z.object({ ok: z.boolean() }) });

function answerWith(response: () => Response | Promise<Response>) {
  const fetched = vi.fn<(address: string, request: RequestInit) => Promise<Response>>(async () => response());
  vi.stubGlobal("fetch", fetched);
  return fetched;
}
afterEach(() => vi.unstubAllGlobals());

describe("the typed client", () => {
  test("fills in the address, sends the body as JSON and gives back the answer", async () => {
    const fetched = answerWith(() => Response.json({ name: "Ida", length: 7 }));
    const boat = await call(rename, { params: { name: "a/b ?" }, query: { limit: 2, old: undefined }, body: { name: "Ida" } });

    expect(boat).toEqual({ name: "Ida", length: 7 });
    const [address, request] = fetched.mock.calls[0] ?? [];
    expect(address).toBe("/api/v1/boats/a%2Fb%20%3F?limit=2");
    expect(request).toMatchObject({ method: "PUT", body: '{"name":"Ida"}' });
    expect(new Headers(request?.headers).get("content-type")).toBe("application/json");
  });

  test("takes a proxy's answer for a server that is gone as a lost connection, and a refusal of the server as none", async () => {
    answerWith(() => new Response("<h1>Bad Gateway</h1>", { status: 502, headers: { "content-type": "text/html" } }));
    await expect(call(ping)).rejects.toThrow();
    expect(connection.read().isLost).toBe(true);
    answerWith(() => Response.json({ ok: true }));
    await call(ping);
    expect(connection.read().isLost).toBe(false);
    const problem = { type: "about:blank", title: "Unavailable", status: 503, detail: "later", code: "unavailable", requestId: "r" };
    answerWith(() => Response.json(problem, { status: 503, headers: { "content-type": "application/problem+json" } }));
    await expect(call(ping)).rejects.toThrow();
    expect(connection.read().isLost).toBe(false);
  });

  test("needs nothing for an endpoint that takes nothing", async () => {
    answerWith(() => Response.json({ ok: true }));
    expect(await call(ping)).toEqual({ ok: true });
    expect(endpointAddress(ping)).toBe("/api/v1/ping");
  });

  test("turns a problem document into an ApiProblem with the field errors", async () => {
    const problem = {
      type: "about:blank",
      title: "Unprocessable",
      status: 422,
      detail: "name: too short",
      code: "invalid",
      requestId: "r",
    };
    answerWith(() => Response.json({ ...problem, errors: [{ path: "name", message: "too short" }] }, { status: 422 }));
    const error = await call(ping, {}).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiProblem);
    expect(error).toMatchObject({
      message: "name: too short",
      problem: { code: "invalid", status: 422, errors: [{ path: "name", message: "too short" }] },
    });
  });

  test("says so when something else answers, and when nothing does", async () => {
    answerWith(() => new Response("<html>Bad gateway</html>", { status: 502 }));
    await expect(call(ping, {})).rejects.toMatchObject({ problem: { code: "unexpected_answer", status: 502 } });
    answerWith(() => Promise.reject(new TypeError("Failed to fetch")));
    await expect(call(ping, {})).rejects.toThrow(TypeError);
  });

  test("calls the address of an endpoint without its schemas", async () => {
    const fetched = answerWith(() => Response.json({ name: "Ida", length: 3 }));
    const address: EndpointAddress<typeof rename> = { method: "PUT", path: "/api/v1/boats/{name}" };
    const boat = await call(address, { params: { name: "Ada" }, body: { name: "Ida" } });
    expectTypeOf(boat).toEqualTypeOf<{ name: string; length: number }>();
    expect(boat).toEqual({ name: "Ida", length: 3 });
    expect(fetched.mock.calls[0]?.[0]).toBe("/api/v1/boats/Ada");
  });

  test("has the types of the contract", () => {
    expectTypeOf(call<typeof rename>).returns.resolves.toEqualTypeOf<{ name: string; length: number }>();
    expectTypeOf(call<typeof rename>)
      .parameter(0)
      .toEqualTypeOf(rename);
    expectTypeOf<{ params: { name: string } }>().not.toExtend<Parameters<typeof call<typeof rename>>[1]>();
    expectTypeOf<{ params: { name: string }; body: { name: string } }>().toExtend<Parameters<typeof call<typeof rename>>[1]>();
  });
});
