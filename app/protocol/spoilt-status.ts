import { type SpoiltKind, spoiltKinds } from '../facts/spoilt';
import { PictureStatus } from './records';

/** How a picture of each kind is recorded. */
export const statusOfKind: Readonly<Record<SpoiltKind, number>> = {
  'wrong-size': PictureStatus.WrongSize,
  torn: PictureStatus.Torn,
  stale: PictureStatus.Stale,
  damaged: PictureStatus.Damaged,
  discoloured: PictureStatus.Discoloured,
  dimmed: PictureStatus.Dimmed,
  mislabelled: PictureStatus.Mislabelled,
};

const kindByStatus: (SpoiltKind | undefined)[] = [];
for (const kind of spoiltKinds) kindByStatus[statusOfKind[kind]] = kind;

/** Undefined: the picture is whole, or has no code. */
export function spoiltKindOf(status: number): SpoiltKind | undefined {
  return kindByStatus[status];
}
