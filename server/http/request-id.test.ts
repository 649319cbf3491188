import { expect, test } from "vitest";
import { echoTrace, readRequestId, usableTraceparent } from "./request-id";

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;
const request = (headers: Record<string, string>) => new Request("http://handrail.test/x", { headers });

test("a request has the id that it was given, else that of its trace, else one of its own", () => {
  expect(readRequestId(request({ "x-request-id": "mine", traceparent }))).toBe("mine");
  expect(readRequestId(request({ "x-request-id": "a b", traceparent }))).toBe(traceId);
  expect(readRequestId(request({ traceparent }))).toBe(traceId);
  expect(readRequestId(request({}))).toMatch(/^[0-9a-f-]{36}$/);
});

test("the trace is named in the answer", () => {
  expect(echoTrace(request({ traceparent }), new Response()).headers.get("traceparent")).toBe(traceparent);
  expect(echoTrace(request({}), new Response()).headers.has("traceparent")).toBe(false);
});

test.each([
  "",
  "00",
  traceId,
  `00-${"0".repeat(32)}-00f067aa0ba902b7-01`,
  `00-${traceId}-${"0".repeat(16)}-01`,
  `ff-${traceId}-00f067aa0ba902b7-01`,
  `00-${traceId.toUpperCase()}-00f067aa0ba902b7-01`,
  `${traceparent}-${"x".repeat(300)}`,
])("%s is no place in a trace", (given) => {
  expect(usableTraceparent(given)).toBeNull();
  expect(readRequestId(request({ traceparent: given }))).not.toContain(traceId);
});
