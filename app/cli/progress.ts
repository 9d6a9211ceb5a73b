import { canRewrite, printError, rewriteLastLine } from './terminal';

/** One line that says how far something is: written over in a terminal, and elsewhere printed now and then. */
export class ProgressLine {
  private printed = '';

  /** `part`: without a terminal the line is printed when another part begins; empty: not yet. */
  show(text: string, part: string): void {
    if (canRewrite()) rewriteLastLine(text);
    else if (part !== '' && part !== this.printed) {
      printError(text);
      this.printed = part;
    }
  }

  /** Clears the line. */
  end(): void {
    rewriteLastLine('');
  }
}

interface ShownFrames {
  framesDone: number;
  frames: number;
  /** Put after the figures. */
  note?: string;
}

/** How many frames are done; without a terminal a line for each tenth of them. */
export class FrameProgress {
  private readonly line = new ProgressLine();

  constructor(private readonly verb: string) {}

  readonly show = ({ framesDone, frames, note = '' }: ShownFrames): void => {
    if (frames === 0) return;
    const percent = Math.floor((100 * framesDone) / frames);
    const tenth = Math.floor(percent / 10);
    const text = `${this.verb} ${framesDone} of ${frames} frames, ${percent} %${note}`;
    this.line.show(text, tenth === 0 ? '' : String(tenth));
  };

  end(): void {
    this.line.end();
  }
}
