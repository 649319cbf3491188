import path from "node:path";
import { defineConfig } from "vitest/config";
import everything, { withDatabase } from "../../vitest.config";
import { rooms } from "./rooms";

/** The tests of one room of the guard, which HANDRAIL_GUARD_ROOM names. */
const room = rooms[process.env.HANDRAIL_GUARD_ROOM ?? ""];
if (!room) throw new Error(`HANDRAIL_GUARD_ROOM names none of ${Object.keys(rooms).join(", ")}`);

const { projects, ...test } = everything.test ?? {};

export default defineConfig({
  ...everything,
  root: path.resolve(import.meta.dirname, "../.."),
  test: { ...test, ...(room.needsDatabase ? withDatabase : {}), include: [...room.tests] },
});
