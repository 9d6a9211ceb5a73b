interface Span {
  left: number;
  right: number;
}

/** How far the columns that stay in sight have to reach into the figures, so that none of these is cut. */
export interface Covers {
  leftPx: number;
  rightPx: number;
  /** Columns of which no figure is in sight, on either side of those that are. */
  moreLeft: number;
  moreRight: number;
}

/** Less is of sub-pixels. */
const tolerancePx = 0.5;

/** Of columns of figures, and of the room between those that stay in sight. */
export function coversOf(columns: readonly Span[], room: Span): Covers {
  const cutLeft = columns.find(({ left, right }) => left < room.left - tolerancePx && right > room.left);
  const cutRight = columns.find(({ left, right }) => right > room.right + tolerancePx && left < room.right);
  const rightPx = cutRight ? room.right - Math.max(cutRight.left, room.left) : 0;
  const leftPx = cutLeft ? Math.min(cutLeft.right, room.right) - room.left : 0;
  const isBefore = ({ left }: Span): boolean => left < room.left + leftPx - tolerancePx;
  const isBeyond = ({ right }: Span): boolean => right > room.right - rightPx + tolerancePx;
  return {
    ...{ leftPx, rightPx },
    moreLeft: columns.filter(isBefore).length,
    moreRight: columns.filter(isBeyond).length,
  };
}
