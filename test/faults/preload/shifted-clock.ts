/**
 * ⏎ Runs a process on a wrong clock: `CLOCK_SHIFT_MS` from the start, and on each SIGUSR2 `CLOCK_JUMP_MS` more.
 * Timers are unaffected, as they never follow the system clock.
 */
const SystemDate = Date;
const systemNow = Date.now;
let shift = Number(process.env.CLOCK_SHIFT_MS ?? 0);

process.on('SIGUSR2', () => {
  shift += Number(process.env.CLOCK_JUMP_MS ?? 0);
});

class ShiftedDate extends SystemDate {
  constructor(...args: [] | [string | number | Date]) {
    if (args.length === 0) super(systemNow() + shift);
    else super(...args);
  }

  static override now(): number {
    return systemNow() + shift;
  }
}

globalThis.Date = ShiftedDate as DateConstructor;
