import { isPlainName } from '../../facts/figure';

/** What a column of a table may hold. */
export type Cell = number | string | boolean | null;

/**
 * Leaves of a value by their path ("roles.sending.cpuPercent"); a list is one leaf, as JSON. Names that cannot be columns are not ours, and
 * are left out.
 */
export function flatRecord(
  value: object,
  prefix = '',
  record: Record<string, Cell> = {},
): Record<string, Cell> {
  for (const [key, part] of Object.entries(value)) {
    if (!isPlainName(key)) continue;
    const path = `${prefix}${key}`;
    if (Array.isArray(part)) record[path] = JSON.stringify(part);
    else if (typeof part === 'object' && part !== null) flatRecord(part, `${path}.`, record);
    else if (part !== undefined) record[path] = part as Cell;
  }
  return record;
}

export type ColumnType = 'DOUBLE' | 'BOOLEAN' | 'VARCHAR';

/**
 * The columns of many records, in the order in which they are first seen; a column of mixed values is text. Names that differ by
 * case alone are one column to a database: the first of them has it.
 */
export class ColumnTypes {
  private readonly types = new Map<string, ColumnType | null>();
  private readonly lowerCaseNames = new Set<string>();

  add(record: Record<string, Cell>): void {
    for (const [name, cell] of Object.entries(record)) {
      const known = this.types.get(name);
      if (known === undefined && !this.isNew(name)) continue;
      const own = cell === null ? null : typeOf(cell);
      this.types.set(name, known && own !== null && known !== own ? 'VARCHAR' : (known ?? own));
    }
  }

  /** A column of nothing but nulls is one of numbers: that is what was not measured. */
  get columns(): [name: string, type: ColumnType][] {
    return [...this.types].map(([name, type]) => [name, type ?? 'DOUBLE']);
  }

  private isNew(name: string): boolean {
    const count = this.lowerCaseNames.size;
    return this.lowerCaseNames.add(name.toLowerCase()).size > count;
  }
}

function typeOf(cell: number | string | boolean): ColumnType {
  if (typeof cell === 'number') return 'DOUBLE';
  return typeof cell === 'boolean' ? 'BOOLEAN' : 'VARCHAR';
}
