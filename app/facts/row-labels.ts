const replaced = 'to be replaced by row ';

/** Of a row that was INVALID and does not count: the next one is measured in its place, unless the run is stopped before. */
export function replacedLabel(byIndex: number): string {
  return `${replaced}${byIndex}`;
}

export function isReplaced(label: string): boolean {
  return label.startsWith(replaced);
}
