import fc from "fast-check";
import { expect, test } from "vitest";
import { EventBlocks, parseEventData } from "./event-blocks";

const events = ["data: one\n\n", 'event: message\r\ndata: {"a":"ü"}\r\n\r\n', ": comment\n\n", "id: 7\rdata: x\r\r"];

test("events come out whole and once, wherever the stream is cut", () => {
  const whole = Buffer.from([...events, "data: unfinished"].join(""));
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: whole.length }), { maxLength: 12 }), (cuts) => {
      const blocks = new EventBlocks();
      const places = [0, ...cuts.toSorted((a, b) => a - b), whole.length];
      const out = places.flatMap((place, index) => [...blocks.read(whole.subarray(place, places[index + 1] ?? whole.length))]);
      expect(out.map(String)).toEqual(events);
      expect(String(blocks.rest())).toBe("data: unfinished");
      expect(blocks.pending).toBe("data: unfinished".length);
    }),
  );
});

test("the data of an event is read over its lines, and what is no JSON is nothing", () => {
  expect(parseEventData(Buffer.from('event: message\ndata: {"a":\ndata: 1}\n\n'))).toEqual({ a: 1 });
  expect(parseEventData(Buffer.from("data: hello\n\n"))).toBeUndefined();
  expect(parseEventData(Buffer.from(": nothing\n\n"))).toBeUndefined();
});
