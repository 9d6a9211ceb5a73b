/**
 * What a sender's machine is, as it travels over the NDI metadata channel, whenever a receiver connects:
 * <whiteline_environment version="1" id="…" part="2" parts="3" text="…"/>
 * The text of all parts together is base64 of what packs and checks it (`engine/machine/packed-environment.ts`).
 */
export interface EnvironmentPart {
  /** The same in all parts of one environment. */
  id: string;
  /** From 1. */
  part: number;
  parts: number;
  text: string;
}

/** Of one message; as long as a message of the sender's records may be. */
const mostCharacters = 12_000;
/** Ten times what a machine with many drives and interfaces has to say. */
export const mostEnvironmentParts = 16;

/** Empty if it is longer than anybody would take. */
export function environmentXml(id: string, text: string): string[] {
  const parts = Math.ceil(text.length / mostCharacters);
  if (parts > mostEnvironmentParts) return [];
  return Array.from({ length: parts }, (_, index) => {
    const part = text.slice(index * mostCharacters, (index + 1) * mostCharacters);
    return `<whiteline_environment version="1" id="${id}" part="${index + 1}" parts="${parts}" text="${part}"/>`;
  });
}

const pattern =
  /^<whiteline_environment version="1" id="([0-9a-f]{16})" part="(\d{1,2})" parts="(\d{1,2})" text="([A-Za-z0-9+/=]{1,12000})"\/>$/;

/** Null for anything that is not such a message, or not a sound one: these are foreign bytes. */
export function parseEnvironmentPart(xml: string): EnvironmentPart | null {
  const [, id = '', part = '', parts = '', text = ''] = pattern.exec(xml) ?? [];
  const numbers = { part: Number(part), parts: Number(parts) };
  const isSound = numbers.part >= 1 && numbers.part <= numbers.parts && numbers.parts <= mostEnvironmentParts;
  return isSound ? { id, ...numbers, text } : null;
}
