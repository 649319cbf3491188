import { createCipheriv, createECDH, hkdfSync, randomBytes } from "node:crypto";

/** The most bytes of a text that every push service takes in one record (RFC 8030, 8291). */
export const maxPushBytes = 3_900;

const recordBytes = 4_096;

/** Encrypts a text for one browser in the coding `aes128gcm` (RFC 8291, 8188). Keys are base64url. */
export function encryptPush(text: string, { p256dh, auth }: { p256dh: string; auth: string }): Buffer {
  const receiver = Buffer.from(p256dh, "base64url");
  const ecdh = createECDH("prime256v1");
  const sender = ecdh.generateKeys();
  const salt = randomBytes(16);
  const shared = ecdh.computeSecret(receiver);
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), receiver, sender]);
  const secret = Buffer.from(hkdfSync("sha256", shared, Buffer.from(auth, "base64url"), info, 32));
  const key = Buffer.from(hkdfSync("sha256", secret, salt, "Content-Encoding: aes128gcm\0", 16));
  const nonce = Buffer.from(hkdfSync("sha256", secret, salt, "Content-Encoding: nonce\0", 12));
  const cipher = createCipheriv("aes-128-gcm", key, nonce);
  // The byte 2 ends the last record.
  const body = Buffer.concat([cipher.update(Buffer.concat([Buffer.from(text), Buffer.of(2)])), cipher.final(), cipher.getAuthTag()]);
  const header = Buffer.alloc(21);
  salt.copy(header);
  header.writeUInt32BE(recordBytes, 16);
  header.writeUInt8(sender.byteLength, 20);
  return Buffer.concat([header, sender, body]);
}
