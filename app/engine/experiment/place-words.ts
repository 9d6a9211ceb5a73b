const mostPlaces = 4;

/** "7, 9, 11, 13 …" */
export function placesText(places: readonly string[]): string {
  const more = places.length > mostPlaces ? ' …' : '';
  return `${places.slice(0, mostPlaces).join(', ')}${more}`;
}

/** @param flat first and last number of each range, one after the other */
export function rangesText(flat: readonly number[]): string {
  const ranges = flat
    .filter((_, index) => index % 2 === 0)
    .map((first, index) => {
      const last = flat[2 * index + 1] ?? first;
      return first === last ? String(first) : `${first}–${last}`;
    });
  return placesText(ranges);
}
