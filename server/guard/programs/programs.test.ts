import { expect, it } from "vitest";
import { programs } from "./programs";

it("the table of programs has each name once, so that no table hides what another one says", () => {
  const names = programs.flatMap((program) => program.names);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});
