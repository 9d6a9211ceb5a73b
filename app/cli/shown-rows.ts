import type { ExperimentDeclaration } from '../experiments/declaration';
import type { Row } from '../facts/row';
import { worstFirst } from '../facts/worst-first';
import { TerminalTable } from './terminal-table';

/** Says the rows of a run as they come; where the worst stands first, once all are there. */
export class ShownRows {
  private readonly table: TerminalTable;
  private readonly kept: Row[] = [];

  constructor(
    private readonly declaration: Pick<ExperimentDeclaration, 'columns' | 'terminal' | 'heatMap'>,
    private readonly say: (...lines: string[]) => void,
  ) {
    this.table = new TerminalTable(declaration);
  }

  add(row: Row): void {
    if (this.declaration.heatMap) this.kept.push(row);
    else this.say(...this.table.lines(row));
  }

  /** The run is over, however it ended. */
  end(): void {
    const { heatMap } = this.declaration;
    if (heatMap)
      for (const row of worstFirst(this.kept.splice(0), heatMap)) this.say(...this.table.lines(row));
  }
}
