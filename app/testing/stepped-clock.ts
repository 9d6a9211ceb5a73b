import { execFileSync } from 'node:child_process';
import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** The wall clock of chosen processes, which a test sets while they run (native/tests/tools/clock_shim.c). */
export class SteppedClock {
  private aheadMs = 0;
  private readonly file: string;
  private readonly library: string;

  constructor(folder: string, name: string) {
    this.file = join(folder, `${name}.offset`);
    this.library = join(folder, `${name}.so`);
    const flags = ['-shared', '-fPIC', '-O1', '-Wall', '-Wextra', '-Werror'];
    execFileSync('cc', [...flags, '-o', this.library, 'native/tests/tools/clock_shim.c', '-ldl', '-pthread']);
    writeFileSync(this.file, Buffer.alloc(8));
  }

  /** Of the processes whose clock this is. */
  get environment(): NodeJS.ProcessEnv {
    return { LD_PRELOAD: this.library, CLOCK_SHIM_FILE: this.file };
  }

  step(ms: number): void {
    this.aheadMs += ms;
    const offset = Buffer.alloc(8);
    offset.writeBigInt64LE(BigInt(this.aheadMs) * 1_000_000n);
    const file = openSync(this.file, 'r+');
    writeSync(file, offset, 0, offset.length, 0);
    closeSync(file);
  }
}
