import { expect, test } from "vitest";
import { connection } from "./connection";

test("an answer to a request from before the loss does not bring the connection back, and one from after it does", () => {
  const before = connection.losses();
  connection.lost();
  connection.reached(before);
  expect(connection.read()).toEqual({ isLost: true });
  connection.reached(connection.losses());
  expect(connection.read()).toEqual({ isLost: false });
});
