import { ask, ConsoleStand } from '../support/browser/console.stand';
import { TcpProxy } from '../support/processes/tcp-proxy';
import { until } from '../support/until';

const QUESTION = 'What is the history of kimchi?';
const STEPS =
  "[...document.querySelectorAll('.activities li')].map((one) => one.textContent)";

describe('a run that is watched', () => {
  let world: ConsoleStand;

  beforeAll(async () => {
    world = await ConsoleStand.start();
  });
  afterEach(() => world.stand.reset());
  afterAll(() => world?.stop());

  it('goes on to its report where the network was cut: no step is shown twice', async () => {
    await world.hold('research_outline');
    const proxy = await TcpProxy.to({ port: Number(new URL(world.url).port) });
    try {
      const page = await world.browser.open(`http://127.0.0.1:${proxy.port}/`);
      await ask(page, QUESTION);
      await page.sees('5 quotes');
      const before = await page.run<string[]>(STEPS);
      proxy.cut();
      await page.sees('Connecting again…');
      await proxy.heal();
      await page.loses('Connecting again…');
      expect(await page.run<string[]>(STEPS)).toEqual(before);
      await world.stand.clearFaults();
      await page.sees('Completed');
      page.problems();
    } finally {
      await proxy.close();
    }
  });

  it('goes on where the API process was killed and started again', async () => {
    await world.hold('research_outline');
    const page = await world.open();
    await ask(page, QUESTION);
    await page.sees('5 quotes');
    const { port } = new URL(world.url);
    await world.stand.apis.pop()!.stop('SIGKILL');
    await page.sees('Connecting again…');
    await world.stand.addApi({ RELAY_PORT: port });
    await page.loses('Connecting again…');
    await world.stand.clearFaults();
    await page.sees('Completed');
    page.problems();
  });

  it('is the same in two tabs, and after the back button', async () => {
    await world.hold('research_outline');
    const session = await world.browser.session();
    const first = await session.open(world.url);
    await ask(first, QUESTION);
    await first.sees('5 quotes');
    const second = await session.open(`${world.url}${first.path}`);
    await second.sees('5 quotes');
    await first.tab.bringToFront();
    await first.click('link', 'History');
    await first.tab.goBack();
    await first.sees('5 quotes');
    await world.stand.clearFaults();
    for (const tab of [first, second]) {
      await tab.tab.bringToFront();
      await tab.sees('Completed');
    }
    // The report has taken the place of the time line.
    await first.tab.goBack();
    await until(
      'the page to leave the run',
      (saw) => !saw(first.path).includes('/watch/'),
    );
    expect([...first.problems(), ...second.problems()]).toEqual([]);
  });

  it('is not read over a stream while its tab is hidden, and is whole when it is shown', async () => {
    await world.hold('research_outline');
    const session = await world.browser.session();
    const watched = await session.open(world.url);
    await ask(watched, QUESTION);
    await watched.sees('5 quotes');
    const other = await session.open('about:blank');
    await other.tab.bringToFront();
    await world.stand.clearFaults();
    await watched.tab.bringToFront();
    await watched.sees('Completed');
    expect(watched.problems()).toEqual([]);
  });

  it('says that a run is unknown', async () => {
    const page = await world.open(`#/watch/inv_${'0'.repeat(32)}`);
    await page.sees('There is no such run, or it has expired.');
    page.problems();
  });
});
