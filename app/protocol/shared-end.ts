/**
 * That a sender of ours ends because somebody asked it to, as it says on its NDI connection before it closes:
 * <whiteline_end version="1" source="4711" before="1234"/>. What it sends from this slot on is not due. A sender that was killed
 * says nothing.
 */
export interface SharedEnd {
  sourceId: number;
  /** Number of the first frame that is not due, modulo 2³². */
  before: number;
}

const pattern = /^<whiteline_end version="1" source="(\d{1,5})" before="(\d{1,10})"\/>$/;

export function sharedEndXml({ sourceId, before }: SharedEnd): string {
  return `<whiteline_end version="1" source="${sourceId}" before="${before}"/>`;
}

/** Null for anything that is not such a message, or not a sound one: these are foreign bytes. */
export function parseSharedEnd(xml: string): SharedEnd | null {
  const found = pattern.exec(xml);
  const [sourceId, before] = [Number(found?.[1]), Number(found?.[2])];
  const isSound = sourceId > 0 && sourceId <= 0xffff && before <= 0xffffffff;
  return isSound ? { sourceId, before } : null;
}
