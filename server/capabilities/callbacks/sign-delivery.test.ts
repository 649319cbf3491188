import { expect, test } from "vitest";
import { signatureOf } from "./sign-delivery";

/** Computed with `printf '%s' '1700000000.{"a":1}' | openssl dgst -sha256 -hmac whsec_test`. */
const known = "38877139021993b830af32feea6e18a8da83eb2f6e49ee50bd9e4cf4ca4d3789";

test("the signature is what any HMAC of time and body gives", () => {
  expect(signatureOf("whsec_test", '{"a":1}', new Date(1_700_000_000_999))).toBe(`t=1700000000,v1=${known}`);
});

test("another time, another body or another secret gives another signature", () => {
  const at = new Date(1_700_000_000_000);
  const signatures = [
    signatureOf("whsec_test", '{"a":1}', at),
    signatureOf("whsec_test", '{"a":2}', at),
    signatureOf("whsec_other", '{"a":1}', at),
    signatureOf("whsec_test", '{"a":1}', new Date(1_700_000_001_000)),
  ].map((signature) => signature.split("v1=")[1]);
  expect(new Set(signatures).size).toBe(4);
});
