package sonde.client;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Marks a method that the model may call, of an object that {@link ChatRequest#functions} is given. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface ModelFunction {
    /** @return what it does, for the model */
    String value();

    /** @return its name for the model: letters, digits, {@code _} and {@code -}; that of the method unless given */
    String name() default "";

    /** @return whether the model endpoint must hold the arguments to their schema */
    boolean strict() default false;
}
