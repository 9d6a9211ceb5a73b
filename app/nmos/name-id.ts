import { createHash } from 'node:crypto';

/** A UUID that a name always gives, RFC 4122 section 4.3, version 5. */
export function nameId(name: string): string {
  const bytes = createHash('sha1').update(`whiteline nmos ${name}`).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
