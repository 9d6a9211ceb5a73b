interface Span {
  left: number;
  right: number;
}

/** How far the columns that stay in sight have to reach into the figures, so that none of these is cut. */
export interface Covers {
  leftPx: number;
  rightPx: number;
  /** Columns of which no figure is in sight, to the right of those that are. */
  moreRight: number;
}

/** Less is of sub-pixels. */
const tolerancePx = 0.5;

/** Of columns of figures, and of the room between those that stay in sight. */
export function coversOf(columns: readonly Span[], room: Span): Covers {
  const cutLeft = columns.find(({ left, right }) => left < room.left - tolerancePx && right > room.left);
  const cutRight = columns.find(({ left, right }) => right > room.right + tolerancePx && left < room.right);
  const rightPx = cutRight ? room.right - Math.max(cutRight.left, room.left) : 0;
  const isBeyond = ({ right }: Span): boolean => right > room.right - rightPx + tolerancePx;
  return {
    leftPx: cutLeft ? Math.min(cutLeft.right, room.right) - room.left : 0,
    rightPx,
    moreRight: columns.filter(isBeyond).length,
  };
}
