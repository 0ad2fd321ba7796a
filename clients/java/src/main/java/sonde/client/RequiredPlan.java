package sonde.client;

/**
 * What a run in {@code requires_action} waits for.
 *
 * @param plan the plan to decide on, see {@link SondeClient#decidePlan}
 */
public record RequiredPlan(Plan plan) {}
