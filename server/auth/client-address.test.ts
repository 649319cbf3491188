import { expect, test } from "vitest";
import { clientAddress } from "./client-address";

test.each([
  { header: null, proxies: 0, address: null },
  { header: "", proxies: 0, address: null },
  { header: "192.0.2.1", proxies: 0, address: "192.0.2.1" },
  { header: "1.1.1.1, 192.0.2.1", proxies: 0, address: "192.0.2.1" },
  { header: "1.1.1.1, 192.0.2.1, 10.0.0.5", proxies: 1, address: "192.0.2.1" },
  { header: "10.0.0.5", proxies: 1, address: null },
])("behind $proxies proxies, '$header' comes from $address", ({ header, proxies, address }) => {
  expect(clientAddress(header, proxies)).toBe(address);
});
