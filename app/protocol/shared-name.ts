/**
 * The NDI name of a sender of ours, as it sends it on every connection: <whiteline_sender name="…"/>, with the bytes of the
 * name as hexadecimal digits (native/transports/ndi/sender_element.h). Who compares names needs them in no other form.
 */
const pattern = /^<whiteline_sender name="((?:[0-9a-f]{2}){1,2048})"\/>$/;

/** The digits; null for anything that is not such a message: these are foreign bytes. */
export function parseSenderName(xml: string): string | null {
  return pattern.exec(xml)?.[1] ?? null;
}
