import { AccountStore } from '../../../src/tenants/spend/account.store';

/**
 * ⏎ For the accounts of money it stays `SAME_DAY`, in ms since 1970: no day and no month of theirs ends while a test adds
 * them up.
 */
const now = Number(process.env.SAME_DAY);
AccountStore.prototype.now = () => now;
